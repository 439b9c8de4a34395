package dev.serval.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.conn.MemoryServer;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.handler.Handler;
import dev.serval.route.RouteTable;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TryFilesTest {
    @TempDir private Path root;
    private FileHandler files;

    @BeforeEach
    void makeSite() throws IOException {
        Files.writeString(root.resolve("index.html"), "index");
        Files.writeString(root.resolve("a.txt"), "a");
        Files.writeString(root.resolve("page.html"), "page");
        Files.createDirectory(root.resolve("docs"));
        Files.writeString(root.resolve("docs/index.html"), "docs");
        Files.createDirectory(root.resolve("empty"));
        Files.createDirectory(root.resolve("WEB-INF"));
        Files.writeString(root.resolve("WEB-INF/x"), "x");
        files = FileHandler.of(root, FileOptions.DEFAULT);
    }

    private TryFiles rule(String... paths) {
        return TryFiles.of(files, List.of(paths));
    }

    /// Asks a server whose look-ups take a moment.
    private static String get(MemoryServer server, String target) {
        var client = server.connect();
        String first = server.ask(client, "GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n");
        for (int i = 0; i < 3; i++) {
            server.work();
            first += client.takeText();
        }
        return first;
    }

    @ParameterizedTest
    @CsvSource({
        "/, index",
        "/a.txt, a",
        "/a.txt?q=1, a",
        "/docs/, docs",
        "/users/7, index",
        "/a.txt/x, index",
        "/WEB-INF/x, index",
        "/empty2/, index"
    })
    void servesASinglePageApplication(String target, String content) {
        for (String prefix : List.of("/", "/app")) {
            Handler rule = rule("$path", "$path/", "/index.html");
            try (MemoryServer server = Rules.at(prefix, rule, files)) {
                String below = prefix.equals("/") ? target : prefix + target;
                for (int i = 0; i < 2; i++) {
                    String answer = get(server, below);
                    assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n" + content);
                }
            }
        }
    }

    @Test
    void redirectsAFolderWithoutItsSlash() {
        try (MemoryServer server = Rules.at("/", rule("$path", "$path/", "/index.html"), files)) {
            assertThat(get(server, "/docs")).startsWith("HTTP/1.1 301 ").contains("/docs/");
            assertThat(get(server, "/empty/")).startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void givesTheFrontControllerTheOriginalTarget() {
        Handler php =
                Handler.ofEveryMethod(x -> {
                    if (x.request().target().path().text().endsWith(".php")) {
                        String now = x.request().target().text();
                        Rules.text(x, now + " of " + x.request().received().target().text());
                    } else {
                        x.pass();
                    }
                });
        try (MemoryServer server = Rules.at("/blog", rule("$path", "/index.php"), php, files)) {
            assertThat(get(server, "/blog/2026/post?x=%20y"))
                    .endsWith("/blog/index.php?x=%20y of /blog/2026/post?x=%20y");
            assertThat(get(server, "/blog/a.txt")).endsWith("\r\n\r\na");
            assertThat(server.log().getFirst()).startsWith("GET /blog/2026/post?x=%20y 200 ");
        }
        Handler drupal = rule("$path", "/index.php?q=$path&$query");
        try (MemoryServer server = Rules.at("/", drupal, php)) {
            assertThat(get(server, "/a%26b/$query?x=1"))
                    .endsWith("/index.php?q=%2Fa%26b%2F%24query&x=1 of /a%26b/$query?x=1");
        }
    }

    @Test
    void passesOnWhatFollowsAScript() throws IOException {
        Files.writeString(root.resolve("docs/wiki.php"), "source");
        Handler php =
                Handler.ofEveryMethod(
                        x -> Rules.text(x, "run " + x.request().target().path().text()));
        List<String> paths = List.of("$path", "$path/", "/index.php");
        TryFiles scripts = TryFiles.of(files, paths).withScripts(".php");
        try (MemoryServer server = Rules.at("/", scripts, php)) {
            assertThat(get(server, "/docs/wiki.php/start")).endsWith("run /docs/wiki.php/start");
            assertThat(get(server, "/docs/wiki.php/")).endsWith("run /docs/wiki.php/");
            assertThat(get(server, "/docs/none.php/start")).endsWith("run /index.php");
            assertThat(get(server, "/none.php/../docs/wiki.phpx/a")).endsWith("run /index.php");
        }
        for (List<String> others : List.of(List.of("/index.php"), List.of("/no", "/index.php"))) {
            TryFiles without = TryFiles.of(files, others).withScripts(".php");
            try (MemoryServer server = Rules.at("/", without, php)) {
                assertThat(get(server, "/docs/wiki.php/start")).endsWith("run /index.php");
            }
        }
        try (MemoryServer server = Rules.at("/", TryFiles.of(files, paths), php)) {
            assertThat(get(server, "/docs/wiki.php/start")).endsWith("run /index.php");
        }
    }

    @Test
    void triesOtherNamesAndAnswersWithAStatus() {
        try (MemoryServer server = Rules.at("/", rule("$path", "$path.html", "=404"), files)) {
            assertThat(get(server, "/page")).endsWith("\r\n\r\npage");
            assertThat(get(server, "/page/")).endsWith("\r\n\r\npage");
            assertThat(get(server, "/none")).startsWith("HTTP/1.1 404 ");
        }
        try (MemoryServer server = Rules.at("/", rule("=410"), files)) {
            assertThat(get(server, "/a.txt")).startsWith("HTTP/1.1 410 ");
        }
    }

    @Test
    void neverLooksAtTheDiskOnTheLoopAndKeepsTheResultForASecond() {
        try (MemoryServer server =
                Rules.at("/", rule("$path", "/index.html"), Rules.says("next"))) {
            assertThat(Rules.answer(server, "GET /none")).isEmpty();
            server.work();
            assertThat(Rules.content(server, "GET /none")).isEqualTo("next /index.html");
            server.pass(Duration.ofMillis(1_100));
            assertThat(Rules.answer(server, "GET /none")).isEmpty();
            server.work();
        }
    }

    @Test
    void keepsNoResultIfTheFilesKeepNone() throws IOException {
        FileHandler looking =
                FileHandler.of(
                        root,
                        FileOptions.DEFAULT.with(draft -> {
                            draft.revalidateNanos = 0;
                            draft.staleMaxNanos = 0;
                        }));
        TryFiles rule = TryFiles.of(looking, List.of("$path", "/index.html"));
        try (MemoryServer server = Rules.at("/", rule, Rules.says("next"))) {
            assertThat(get(server, "/new.txt")).endsWith("next /index.html");
            Files.writeString(root.resolve("new.txt"), "new");
            assertThat(get(server, "/new.txt")).endsWith("next /new.txt");
        }
    }

    @Test
    void passesFilesOnThatTheCacheKnows() {
        FileHandler kept =
                FileHandler.of(
                        root,
                        FileOptions.DEFAULT.with(draft -> draft.revalidateNanos = 60_000_000_000L));
        TryFiles rule = TryFiles.of(kept, List.of("$path", "/index.html"));
        try (MemoryServer server = Rules.at("/", rule, kept)) {
            Await.until(
                    "the file has rested for so long that it is cached",
                    () -> {
                        get(server, "/a.txt");
                        server.pass(Duration.ofMillis(1_100)); // past what the rule keeps
                        boolean known = Rules.content(server, "GET /a.txt").equals("a");
                        server.work();
                        return known;
                    });
        }
    }

    @Test
    void entersTheMountOfTheLastPath() {
        RouteTable.Builder table =
                RouteTable.builder()
                        .mount("/", rule("$path", "/api/fallback"), files)
                        .mount("/api", Rules.says("api"));
        try (MemoryServer server = Rules.of(table)) {
            assertThat(get(server, "/none")).endsWith("api /api/fallback");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "index.html", "path", "//x", "/a/../b", "=200", "=40", "/a\\b"})
    void refusesPathsThatMakeNoSense(String path) {
        assertThatIllegalArgumentException().isThrownBy(() -> rule(path));
        assertThatIllegalArgumentException().isThrownBy(() -> rule(path, "/index.html"));
        assertThatIllegalArgumentException().isThrownBy(() -> rule("=404", "/index.html"));
        assertThatIllegalArgumentException().isThrownBy(() -> rule("/a?b", "/index.html"));
        assertThatIllegalArgumentException().isThrownBy(() -> rule());
    }
}
