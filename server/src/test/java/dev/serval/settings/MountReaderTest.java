package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.coding.Compression;
import dev.serval.file.CacheRule;
import dev.serval.file.FileOptions;
import dev.serval.handler.ErrorDocument;
import dev.serval.http.FieldChanges;
import dev.serval.http.FieldChanges.Change;
import dev.serval.http.PathPatterns;
import dev.serval.rule.Redirect;
import dev.serval.rule.Rewrite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Mounts and hosts of a file, with their rules.
final class MountReaderTest {
    @TempDir private Path folder;

    @BeforeEach
    void prepare() throws IOException {
        Files.createDirectory(folder.resolve("site"));
    }

    private MountChoice served(String text) throws IOException {
        return new WrittenFile(folder).right(text).served();
    }

    private FileOptions files(String keys) throws IOException {
        return served("[[mount]]\nfolder = 'site'\n" + keys).mounts().getFirst().files();
    }

    private static MountRules rules(MountChoice served, Place place) {
        return Objects.requireNonNull(served.rules().get(place));
    }

    @Test
    void filesWithoutACacheAreLookedUpEachTime() throws IOException {
        FileOptions options = files("files.cache = false");
        assertThat(options.smallMaxBytes()).isZero();
        assertThat(options.revalidateNanos()).isZero();
        assertThat(options.staleMaxNanos()).isZero();
        assertThat(files("").revalidateNanos()).isPositive();
    }

    @Test
    void deniedFilesAreNotListed() throws IOException {
        assertThat(files("deny = ['*.inc', '/data/**']").denied())
                .isEqualTo(PathPatterns.of(List.of("*.inc", "/data/**")));
    }

    /// Caches need each reason why an answer varies, and cookies may be those of sessions.
    @Test
    void fieldsThatAreListsLeaveThoseOfTheAnswer() throws IOException {
        MountChoice served =
                served(
                        "[[mount]]\nfolder = 'site'\nfields = { vary = 'Origin', set-cookie = 'a=b', x = '' }");
        assertThat(rules(served, Place.at("/")).fields().changes())
                .containsExactly(
                        Change.add("set-cookie", "a=b").toAll(),
                        Change.add("vary", "Origin").toAll(),
                        Change.remove("x").toAll());
    }

    @Test
    void charsetMayBeNone() throws IOException {
        assertThat(files("files.charset = 'none'").textCharset()).isEmpty();
    }

    @Test
    void filesOfNoKnownExtensionHaveTheDefaultType() throws IOException {
        assertThat(files("").unknownType()).isEqualTo("application/octet-stream");
        assertThat(files("[files]\ndefault-type = 'text/x-a; b=c'").unknownType())
                .isEqualTo("text/x-a; b=c");
        assertThat(files("files.default-type = 'text/plain'").unknownType())
                .isEqualTo("text/plain");
    }

    @Test
    void extensionsAreTakenWithAndWithoutADotInAnyCase() throws IOException {
        assertThat(files("files.types = { '.ABC' = 'text/x-abc', d = 'text/x-d' }").types())
                .isEqualTo(Map.of("abc", "text/x-abc", "d", "text/x-d"));
    }

    @Test
    void cacheRulesAreForTypesIfASlashIsInside() throws IOException {
        assertThat(files("files.cache-control = { 'image/*' = 'a', '/x' = 'b' }").cacheRules())
                .containsExactlyInAnyOrder(
                        CacheRule.ofTypes(List.of("image/*"), "a"),
                        CacheRule.ofPaths(List.of("/x"), "b"));
    }

    @Test
    void cacheRuleOfAPathWithoutItsFirstSlashIsNoType() throws IOException {
        for (String pattern : List.of("assets/**", "assets/*", "text/a/b")) {
            String rule = "files.cache-control = { '" + pattern + "' = 'a' }\n";
            assertThat(new WrittenFile(folder).wrong("[[mount]]\nfolder = 'site'\n" + rule))
                    .singleElement()
                    .asString()
                    .contains("begins with / ", "but is \"" + pattern + "\"");
        }
    }

    @Test
    void filesOfApplicationsAreNoPartOfTheirMounts() throws IOException {
        Files.createDirectories(folder.resolve("shop/WEB-INF"));
        String app = "[[mount]]\nat = '/shop'\napp = 'shop'\n";
        MountChoice served =
                served(
                        "compression.mode = 'off'\nfiles = { index = 'a', links = 'follow',"
                                + " listing = true, cache-size = '1m' }\n"
                                + app
                                + "deny = '*.inc'\nfiles.charset = 'none'\n"
                                + "compression.mode = 'files'\n");
        Place place = Place.at("/shop");
        assertThat(served.mounts())
                .containsExactly(Mount.application(place, folder.resolve("shop")));
        FileOptions others =
                FileOptions.DEFAULT.with(draft -> {
                    draft.cacheMaxBytes = 1 << 20;
                    draft.compression = Compression.OFF;
                });
        assertThat(served.appFiles().at(Place.at("/other"))).isEqualTo(others);
        assertThat(served.appFiles().at(place))
                .isEqualTo(
                        others.with(draft -> {
                            draft.textCharset = "";
                            draft.compression = Compression.DEFAULT;
                        }));
    }

    @Test
    void applicationTakesNoKeysOfFolders() throws IOException {
        Files.createDirectories(folder.resolve("shop/WEB-INF"));
        for (String key : List.of("index = 'a'", "links = 'follow'", "listing = false")) {
            assertThat(new WrittenFile(folder).wrong("[[mount]]\napp = 'shop'\nfiles." + key))
                    .containsExactly(
                            "serval.toml:3:1: "
                                    + key.split(" ", 2)[0]
                                    + " has no effect on app: it is for folder and fastcgi.");
        }
    }

    @Test
    void redirectIsPermanentUnlessItsStatusSaysOtherwise() throws IOException {
        MountChoice served =
                served(
                        """
                        [[mount]]
                        at = "/a"
                        redirect = "https://x.example/*"
                        [[mount]]
                        at = "/b"
                        redirect = "https://x.example/b"
                        status = 302
                        """);
        assertThat(rules(served, Place.at("/a")).redirects())
                .containsExactly(new Redirect.Rule("/*", "https://x.example/", 308, true));
        assertThat(rules(served, Place.at("/b")).redirects())
                .containsExactly(new Redirect.Rule("/**", "https://x.example/b", 302, false));
    }

    @Test
    void redirectThatDropsTheRestOfThePathHasANote() throws IOException {
        WrittenFile file = new WrittenFile(folder);
        String mount =
                "[[mount]]\nat = '/old'\nredirect = '%s'\n[[mount]]\nat = '/new'\nfolder = '.'\n";
        assertThat(file.notes(mount.formatted("/new/")))
                .containsExactly(
                        "serval.toml:3:1: This redirect leads from every path to /new/ itself: write"
                                + " \"/new/*\" to add the rest of the path and the query.");
        assertThat(file.notes(mount.formatted("/new/*"))).isEmpty();
        assertThat(file.notes(mount.formatted("/new"))).isEmpty();
        assertThat(
                        file.notes(
                                "[[mount]]\nredirect = '/shop/'\n[[mount]]\nat = '/shop'\nfolder = '.'"))
                .as("the root leads to an application")
                .isEmpty();
        assertThat(file.notes("[[host]]\nname = 'a.example'\nredirect = 'https://b.example/'\n"))
                .singleElement()
                .asString()
                .startsWith("serval.toml:3:1: ");
    }

    @Test
    void redirectLeadsNowhereIfOnlyAnotherHostServesItsPath() throws IOException {
        String redirect = "[[mount]]\nat = '/a'\nredirect = '/x'\n";
        assertThat(
                        new WrittenFile(folder)
                                .wrong(
                                        redirect
                                                + "[[host]]\nname = 'h.example'\n"
                                                + "mount = [{ at = '/x', folder = 'site' }]\n"))
                .singleElement()
                .asString()
                .contains(
                        "This redirect leads to /x, where nothing is served: add a mount for /x,");
        served(redirect + "[[mount]]\nat = '/x'\nfolder = 'site'\n");
        served("server.health-path = '/x'\n" + redirect);
        served("server.ready-path = '/x'\n[[mount]]\nat = '/'\nredirect = '/x'\n");
    }

    @Test
    void rewriteIsOfTheWholePath() throws IOException {
        MountChoice served =
                served("[[mount]]\nfolder = 'site'\nrewrite = [{ from = '/a|/b', to = '/c' }]\n");
        assertThat(rules(served, Place.at("/")).rewrites())
                .containsExactly(new Rewrite.Rule("^(?:/a|/b)$", "/c", true));
    }

    @Test
    void rewriteWithAStatusRedirects() throws IOException {
        MountChoice served =
                served(
                        """
                        [[mount]]
                        folder = "site"
                        [[mount.rewrite]]
                        from = '/(.*)\\.php'
                        to = "https://new.example/$1"
                        status = 301
                        """);
        assertThat(rules(served, Place.at("/")).rewrites())
                .containsExactly(
                        new Rewrite.Rule("^(?:/(.*)\\.php)$", "https://new.example/$1", true, 301));
    }

    @Test
    void mountOfAHostHasItsFieldsAndPagesUnlessItHasItsOwn() throws IOException {
        MountChoice served =
                served(
                        """
                        [[host]]
                        name = "h.example"
                        fields = { "X-A" = "host", "X-B" = "host" }
                        error-pages = { 404 = "/host404", 500 = "/host500" }
                        log = "off"
                        redirect = "https://x.example/"
                        [[host.mount]]
                        at = "/own"
                        folder = "site"
                        fields = { "x-a" = "own", "X-C" = "" }
                        error-pages = { 404 = "/own404" }
                        """);
        MountRules own = rules(served, new Place("h.example", "/own"));
        assertThat(own.fields())
                .isEqualTo(
                        new FieldChanges(
                                List.of(
                                        Change.set("X-A", "own").toAll(),
                                        Change.set("X-B", "host").toAll(),
                                        Change.remove("X-C").toAll())));
        assertThat(own.errors())
                .isEqualTo(
                        Map.of(
                                404,
                                new ErrorDocument.Internal("/own404"),
                                500,
                                new ErrorDocument.Internal("/host500")));
        assertThat(own.log()).isEqualTo("off");
        MountRules rest = rules(served, new Place("h.example", "/"));
        assertThat(rest.log()).isEqualTo("off");
        assertThat(rest.errors()).containsOnlyKeys(404, 500);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"fields = { X-A = 'a' }", "error-pages = { 404 = '/404' }", "log = 'off'"})
    void keysOfAHostHoldForWhatNoMountAnswers(String keys) throws IOException {
        String host =
                "[[host]]\nname = 'h.example'\n" + keys + "\n[[host.mount]]\nfolder = 'site'\n";
        Place root = new Place("h.example", "/");
        assertThat(served(host + "at = '/own'\n").rules()).containsKey(root);
        assertThat(rules(served(host), root)).as("of the mount there").isNotNull();
        assertThat(new WrittenFile(folder).wrong("[[host]]\nname = 'h.example'\n" + keys))
                .singleElement()
                .asString()
                .contains("This host serves nothing");
    }

    @Test
    void pagesInPlaceOfThoseOfOthersNeedOthersAndPages() throws IOException {
        String proxy = "[[mount]]\nproxy = 'http://127.0.0.1:9'\nintercept = true\n";
        String pages = "error-pages = { 502 = '/502' }\n";
        assertThat(rules(served(proxy + pages), Place.at("/")).intercepts()).isTrue();
        for (String wrong :
                List.of(proxy, "[[mount]]\nfolder = 'site'\nintercept = true\n" + pages)) {
            assertThat(new WrittenFile(folder).wrong(wrong))
                    .singleElement()
                    .asString()
                    .contains("3:1: intercept needs proxy, fastcgi or scgi, and error-pages");
        }
    }
}
