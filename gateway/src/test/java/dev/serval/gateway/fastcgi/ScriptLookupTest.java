package dev.serval.gateway.fastcgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.file.FileOptions;
import dev.serval.file.Links;
import dev.serval.http.PathPatterns;
import dev.serval.testkit.Await;
import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Links to scripts, and roots that are links.
final class ScriptLookupTest {
    private static final String NONE = "PASS";

    private TempTree tree;
    private Path root;

    @BeforeEach
    void makeSite() throws IOException {
        tree = TempTree.create();
        root = tree.root().toRealPath().resolve("site");
        tree.file("site/index.php", "");
        tree.file("site/real/a.php", "");
        tree.file("site/real/style.css", "");
        tree.file("other/b.php", "");
        tree.file("other/sub/index.php", "");
        link("site/in", "real");
        link("site/in.php", "real/a.php");
        link("site/out", "../other");
        link("site/out.php", "../other/b.php");
        link("site/code.txt", "real/a.php");
        link("site/round.php", "round.php");
        link("site/gone.php", "nowhere.php");
    }

    @AfterEach
    void removeSite() {
        tree.close();
    }

    private void link(String name, String target) throws IOException {
        Files.createSymbolicLink(tree.root().resolve(name), Path.of(target));
    }

    private ScriptLookup lookup(Path folder, Links links) throws IOException {
        FileOptions options = FileOptions.DEFAULT.with(draft -> draft.links = links);
        FastcgiTarget target =
                new FastcgiTarget(folder, true, "index.php", null, null, false, List.of());
        return new ScriptLookup(folder, target, LocalFiles.of(folder, options), PathPatterns.NONE);
    }

    /// Returns the script's file, or the kind of an answer without a script.
    private static String found(ScriptLookup lookup, String path) throws IOException {
        Script script = lookup.find(path.getBytes(StandardCharsets.UTF_8));
        return script.kind() == Script.Kind.SCRIPT
                ? new String(script.root(), StandardCharsets.UTF_8)
                        + new String(script.name(), StandardCharsets.UTF_8)
                : script.kind().toString();
    }

    @ParameterizedTest
    @CsvSource({
        // path, never, inside, follow
        "/real/a.php, yes, yes, yes",
        "/in/a.php, no, yes, yes",
        "/in/a.php/info, no, yes, yes",
        "/in.php, no, yes, yes",
        "/out/b.php, no, no, yes",
        "/out.php, no, no, yes",
        "/out/sub/, no, no, yes",
        "/round.php, no, no, no",
        "/gone.php, no, no, no",
    })
    void followsLinksToScriptsAsThoseToFiles(
            String path, String never, String inside, String follow) throws IOException {
        assertThat(found(lookup(root, Links.NEVER), path)).is(script(never)).as("never");
        assertThat(found(lookup(root, Links.INSIDE), path)).is(script(inside)).as("inside");
        assertThat(found(lookup(root, Links.FOLLOW), path)).is(script(follow)).as("follow");
    }

    private static Condition<String> script(String expected) {
        boolean runs = expected.equals("yes");
        return new Condition<>(
                text -> runs == text.startsWith("/"), runs ? "a script" : "no script");
    }

    @Test
    void sourceIsHiddenBehindALinkWithAnotherName() throws IOException {
        assertThat(found(lookup(root, Links.FOLLOW), "/code.txt")).isEqualTo("HIDDEN");
        assertThat(found(lookup(root, Links.FOLLOW), "/in/style.css")).isEqualTo(NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "/lib.php/run.php, /lib.php/run.php",
        "/lib.php/run.php/info, /lib.php/run.php",
        "/real/a.php/b.php, /real/a.php",
        "/lib.php, PASS",
        "/real/style.css/a.php, HIDDEN",
        "/none.php/index.php, HIDDEN",
    })
    void firstFileOfAPathIsItsScript(String path, String found) throws IOException {
        tree.file("site/lib.php/run.php", "");
        assertThat(found(lookup(root, Links.NEVER), path).replace(root.toString(), ""))
                .isEqualTo(found);
    }

    /// Each name of the files' index in turn, as the handler of the files takes them.
    @ParameterizedTest
    @CsvSource({
        "/script/, SCRIPT /script/home.php",
        "/page/, PASS",
        "/both/, PASS",
        "/own/, SCRIPT /own/index.php",
        "/source/, HIDDEN",
        "/link/, HIDDEN",
        "/none/, PASS",
        "/script, PASS",
    })
    void indexFileThatIsAScriptIsRun(String path, String found) throws IOException {
        for (String file :
                new String[] {
                    "script/home.php",
                    "page/index.html",
                    "both/index.html",
                    "both/home.php",
                    "own/index.html",
                    "own/index.php",
                    "source/home.phtml",
                    "source/home.php",
                    "none/other.html",
                    "link/config.php"
                }) {
            tree.file("site/" + file, "");
        }
        link("site/link/index.html", "config.php");
        FileOptions options =
                FileOptions.DEFAULT.with(draft ->
                        draft.indexNames = List.of("index.html", "home.phtml", "home.php"));
        FastcgiTarget target =
                new FastcgiTarget(root, true, "index.php", null, null, false, List.of());
        ScriptLookup lookup =
                new ScriptLookup(root, target, LocalFiles.of(root, options), PathPatterns.NONE);
        assertThat(found(lookup, path).replace(root.toString(), "SCRIPT ")).isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource({
        "/, SCRIPT /index.php",
        "/uploads/, PASS",
        "/uploads/2026/, PASS",
        "/pages/, PASS",
        "/homes/, SCRIPT /homes/home.php",
    })
    void deniedScriptIsNoIndex(String path, String found) throws IOException {
        for (String file :
                new String[] {
                    "uploads/index.php",
                    "uploads/2026/home.php",
                    "pages/first.php",
                    "homes/first.php",
                    "homes/home.php"
                }) {
            tree.file("site/" + file, "");
        }
        PathPatterns denied = PathPatterns.of(List.of("/uploads/**/*.php", "first.php"));
        FileOptions options =
                FileOptions.DEFAULT.with(draft -> {
                    draft.indexNames = List.of("first.php", "home.php");
                    draft.denied = denied;
                });
        FastcgiTarget target =
                new FastcgiTarget(root, true, "index.php", null, null, false, List.of());
        ScriptLookup lookup = new ScriptLookup(root, target, LocalFiles.of(root, options), denied);
        assertThat(found(lookup, path).replace(root.toString(), "SCRIPT ")).isEqualTo(found);
    }

    @Test
    void deniedScriptIsNoIndexOnTheOtherMachineEither() throws IOException {
        Path folder = Path.of("/srv/app");
        FastcgiTarget target =
                new FastcgiTarget(folder, false, "index.php", null, null, false, List.of());
        PathPatterns denied = PathPatterns.of(List.of("/uploads/**/*.php"));
        ScriptLookup lookup = new ScriptLookup(folder, target, null, denied);
        assertThat(found(lookup, "/uploads/2026/")).isEqualTo("HIDDEN");
        assertThat(found(lookup, "/2026/")).isEqualTo("/srv/app/2026/index.php");
    }

    @Test
    void ownerOfALinkMustOwnItsScript() throws Exception {
        assumeThat(System.getProperty("user.name"))
                .as("needs root, which may give files to others")
                .isEqualTo("root");
        tree.file("other/c.php", "");
        link("site/c.php", "../other/c.php");
        Files.setAttribute(tree.root().resolve("other/c.php"), "unix:uid", 1234);
        ScriptLookup lookup = lookup(root, Links.OWNER);
        // A link that has just changed is refused for a moment.
        Await.until(
                "the links are old enough",
                () -> {
                    try {
                        return !found(lookup, "/c.php").isEmpty()
                                && !found(lookup, "/out.php").isEmpty();
                    } catch (IOException e) {
                        return false;
                    }
                });
        assertThat(found(lookup, "/out.php")).endsWith("/site/out.php");
        assertThat(found(lookup, "/c.php")).isEqualTo("HIDDEN");
    }

    @Test
    void rootThatIsALinkMaySwitch() throws IOException {
        tree.file("releases/1/index.php", "");
        tree.file("releases/2/index.php", "");
        tree.file("releases/2/new.php", "");
        link("current", "releases/1");
        Path releases = tree.root().toRealPath().resolve("releases");
        ScriptLookup lookup = lookup(tree.root().resolve("current"), Links.INSIDE);
        assertThat(found(lookup, "/")).isEqualTo(releases + "/1/index.php");
        assertThat(found(lookup, "/new.php")).isEqualTo("HIDDEN");
        link("next", "releases/2");
        Files.move(
                tree.root().resolve("next"),
                tree.root().resolve("current"),
                StandardCopyOption.ATOMIC_MOVE);
        assertThat(found(lookup, "/")).isEqualTo(releases + "/2/index.php");
        assertThat(found(lookup, "/new.php")).isEqualTo(releases + "/2/new.php");
    }

    /// PHP would walk back to the file in the path, and run it.
    @ParameterizedTest
    @CsvSource({
        "'', /index.php",
        "/, /index.php",
        "/a/, /a/index.php",
        "/a.php, /a.php",
        "/v1.2/a.php/info, /v1.2/a.php",
        "/v1.2-beta/, /v1.2-beta/index.php",
        "/.well-known/a.php, /.well-known/a.php",
        "/a.jpg/x.php, HIDDEN",
        "/a.jpg/, HIDDEN",
        "/a.jpg/b/, HIDDEN",
        "/a.7z/x.php, HIDDEN",
        "/a.3gp/x.php, HIDDEN",
        "/a.3gp/, HIDDEN",
        "/a.b-c/x.php, HIDDEN",
        "/v1.2/a.mp3/x.php, HIDDEN",
    })
    void remoteScriptIsNotBelowAFile(String path, String found) throws IOException {
        Path folder = Path.of("/srv/app");
        FastcgiTarget target =
                new FastcgiTarget(folder, false, "index.php", null, null, false, List.of());
        assertThat(found(new ScriptLookup(folder, target, null, PathPatterns.NONE), path))
                .isEqualTo(found.startsWith("/") ? folder + found : found);
    }
}
