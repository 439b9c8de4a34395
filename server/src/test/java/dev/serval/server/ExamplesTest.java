package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.Serval;
import dev.serval.app.App;
import dev.serval.site.TestArchive;
import dev.serval.testkit.Await;
import dev.serval.testkit.DeadPort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The configurations in `examples/config`, each as a server process.
@Timeout(120)
final class ExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "config");

    @TempDir Path folder;

    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet("/hello")
            public class Hello extends jakarta.servlet.http.HttpServlet {
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    response.getWriter().print("hello");
                }
            }
            """;

    /// Copies an example, so that its server writes nothing beside it.
    private Path copy(String name) throws IOException {
        Path from = EXAMPLES.resolve(name);
        Path to = folder.resolve(name);
        try (Stream<Path> files = Files.walk(from)) {
            files.forEach(file -> {
                try {
                    Files.copy(file, to.resolve(from.relativize(file).toString()));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return to;
    }

    private ServerProcess start(String name, Map<String, String> variables) throws IOException {
        Map<String, String> environment = new HashMap<>(variables);
        environment.put("PORT", "0");
        environment.put("XDG_RUNTIME_DIR", folder.toString());
        environment.put("XDG_STATE_HOME", folder.resolve("state").toString());
        String file = folder.resolve(name).resolve("serval.toml").toString();
        ServerProcess server = ServerProcess.start(environment, List.of("run", "--config", file));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    private static RawResponse get(ServerProcess server, String host, String path, String fields) {
        try (RawClient client = RawClient.connect(server.socketAddress())) {
            return client.exchange(
                    "GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n");
        }
    }

    private static void answers(ServerProcess server, String path, int status, String part) {
        RawResponse response = server.get(path);
        assertThat(response.status()).as(path).isEqualTo(status);
        assertThat(response.text()).as(path).contains(part);
    }

    private static void redirects(ServerProcess server, String path, int status, String location) {
        RawResponse response = server.get(path);
        assertThat(response.status()).as(path).isEqualTo(status);
        assertThat(response.field("Location")).as(path).endsWith(location);
    }

    @Test
    void twoSites() throws Exception {
        copy("two-sites");
        try (ServerProcess server = start("two-sites", Map.of())) {
            assertThat(get(server, "localhost", "/", "").text()).contains("The site");
            assertThat(get(server, "WWW.example.org", "/", "").text()).contains("The site");
            assertThat(get(server, "blog.example.org", "/", "").text()).contains("The blog");
            RawResponse missing = get(server, "localhost", "/none", "");
            assertThat(missing.status()).isEqualTo(404);
            assertThat(missing.text()).contains("The site has no such page");
            assertThat(get(server, "blog.example.org", "/none", "").text())
                    .doesNotContain("The site");
            RawResponse moved = get(server, "example.org", "/page?q", "");
            assertThat(moved.status()).isEqualTo(308);
            assertThat(moved.field("Location")).isEqualTo("http://www.example.org/page?q");
            assertThat(get(server, "other.example", "/", "").status()).isEqualTo(404);
        }
    }

    @Test
    void war() throws Exception {
        TestArchive.write(copy("war"), "shop.war", "<web-app/>", SERVLET);
        try (ServerProcess server = start("war", Map.of())) {
            answers(server, "/shop/", 200, "index");
            answers(server, "/shop/hello", 200, "hello");
            redirects(server, "/", 302, "/shop/");
            redirects(server, "/shop", 302, "/shop/");
        }
    }

    @Test
    void php() throws Exception {
        copy("php");
        try (PhpProcess php = PhpProcess.start(folder);
                ServerProcess server = start("php", Map.of("PHP", php.socket().toString()))) {
            answers(server, "/", 200, "The first page.");
            answers(server, "/about", 200, "About this site.");
            answers(server, "/none", 404, "There is no page /none.");
            answers(server, "/style.css", 200, "sans-serif");
            answers(server, "/index.php/about", 404, "There is no page /index.php/about.");
            for (String path : List.of("/data/notes.txt", "/pages.inc", "/DATA/", "/%70ages.inc")) {
                answers(server, path, 404, "There is nothing");
            }
        }
    }

    @Test
    void dokuwiki() throws Exception {
        assumeThat(Path.of("/usr/share/dokuwiki/doku.php"))
                .as("needs DokuWiki (Debian package dokuwiki)")
                .exists();
        copy("dokuwiki");
        try (PhpProcess php = PhpProcess.start(folder);
                ServerProcess server = start("dokuwiki", Map.of("PHP", php.socket().toString()))) {
            redirects(server, "/", 308, "/dokuwiki/");
            answers(server, "/dokuwiki/", 200, "<html");
            answers(server, "/dokuwiki/doku.php?id=start&do=login", 200, "name=\"p\"");
            answers(server, "/dokuwiki/lib/exe/css.php?t=dokuwiki", 200, "body");
            answers(server, "/dokuwiki/lib/tpl/dokuwiki/images/logo.png", 200, "PNG");
            assertThat(server.get("/dokuwiki/lib/tpl/dokuwiki/main.php").status()).isEqualTo(200);
            for (String path :
                    List.of(
                            "/data/deleted.files",
                            "/%64ata/deleted.files",
                            "/DATA/deleted.files",
                            "/lib/../data/deleted.files",
                            "//data/x.php/y",
                            "/data./",
                            "/inc/init.php",
                            "/vendor/autoload.php")) {
                answers(server, "/dokuwiki" + path, 404, "There is nothing");
            }
        }
    }

    /// The host has no configuration of WordPress, so no database is needed: its scripts run, and say so.
    @Test
    void wordpress() throws Exception {
        assumeThat(Path.of("/usr/share/wordpress/wp-login.php"))
                .as("needs WordPress (Debian package wordpress)")
                .exists();
        copy("wordpress");
        try (PhpProcess php = PhpProcess.start(folder);
                ServerProcess server = start("wordpress", Map.of("PHP", php.socket().toString()))) {
            for (String path : List.of("/", "/2026/hello/", "/wp-login.php")) {
                RawResponse response = get(server, "none.example", path, "");
                assertThat(response.status()).as(path).isEqualTo(404);
                assertThat(response.text()).as(path).contains("config-none.example.php");
            }
            answers(server, "/wp-includes/css/buttons.css", 200, ".button");
            answers(server, "/wp-includes/js/crop/cropper.js", 200, "Cropper"); // a link
            answers(
                    server,
                    "/wp-content/plugins/akismet/readme.txt",
                    200,
                    "Akismet"); // below a link
            assertThat(server.get("/wp-content/index.php").status()).isEqualTo(200);
            for (String path :
                    List.of(
                            "/.htaccess",
                            "/wp-content/uploads/x.php",
                            "/wp-content/uploads/2026/x.php",
                            "/wp-content/uploads/2026/X.PHP/y")) {
                answers(server, path, 404, "There is nothing");
            }
        }
    }

    private static Serval upstream(String name) throws IOException {
        App app =
                App.builder()
                        .get("/health", x -> x.text("well"))
                        .get("/", x -> x.text(name + " " + x.field("X-Real-IP")))
                        .get("/api/users/7", x -> x.text("Ada"))
                        .build();
        return Serval.listen(0).mount("/", app).start();
    }

    private static String address(Serval server) {
        return "127.0.0.1:" + server.port();
    }

    @Test
    void proxy() throws Exception {
        copy("proxy");
        try (Serval one = upstream("one");
                Serval two = upstream("two");
                ServerProcess server =
                        start("proxy", Map.of("ONE", address(one), "TWO", address(two)))) {
            Map<String, String> cookies = new TreeMap<>();
            Await.until(
                    "new clients reach both, which a slow machine may count as down for a moment",
                    () -> {
                        RawResponse first = server.get("/");
                        @Nullable String cookie = first.field("Set-Cookie");
                        if (cookie != null) {
                            cookies.put(first.text(), cookie.substring(0, cookie.indexOf(';')));
                        }
                        return cookies.size() == 2;
                    });
            assertThat(cookies).containsOnlyKeys("one 127.0.0.1", "two 127.0.0.1");
            cookies.forEach((text, cookie) -> {
                assertThat(cookie).startsWith("server=");
                Await.until(
                        "the cookie leads five requests in a row to " + text,
                        () -> {
                            boolean same = true;
                            for (int i = 0; i < 5; i++) {
                                String field = "Cookie: " + cookie + "\r\n";
                                same &= get(server, "x", "/", field).text().equals(text);
                            }
                            return same;
                        });
            });
        }
    }

    @Test
    void proxyLeavesOutAServerThatIsDown() throws Exception {
        copy("proxy");
        try (DeadPort dead = DeadPort.open();
                Serval two = upstream("two");
                ServerProcess server =
                        start(
                                "proxy",
                                Map.of("ONE", "127.0.0.1:" + dead.number(), "TWO", address(two)))) {
            Await.until("the other one answers", () -> server.get("/").text().startsWith("two"));
            for (int i = 0; i < 8; i++) {
                assertThat(server.get("/").text()).isEqualTo("two 127.0.0.1");
            }
        }
    }

    @Test
    void spa() throws Exception {
        copy("spa");
        try (Serval api = upstream("api");
                ServerProcess server = start("spa", Map.of("API", address(api)))) {
            for (String path : List.of("/", "/users/7")) {
                answers(server, path, 200, "<div id=\"app\">");
                assertThat(server.get(path).field("Cache-Control")).isEqualTo("no-cache");
            }
            answers(server, "/assets/app-1.js", 200, "fetch");
            assertThat(server.get("/assets/app-1.js").field("Cache-Control"))
                    .contains("max-age=31536000");
            assertThat(server.get("/assets/app-0.js").status()).isEqualTo(404);
            answers(server, "/api/users/7", 200, "Ada");
            assertThat(server.get("/api/none").status()).isEqualTo(404);
        }
    }

    /// Each folder has its README, a row in the list, and a test here.
    @Test
    void eachExampleIsInTheList() throws IOException {
        String list = Files.readString(EXAMPLES.resolve("README.md"));
        try (Stream<Path> folders = Files.list(EXAMPLES).filter(Files::isDirectory)) {
            assertThat(folders.toList())
                    .hasSize(7)
                    .allSatisfy(example -> {
                        String name = example.getFileName().toString();
                        assertThat(list).contains("[" + name + "](" + name + "/)");
                        assertThat(example.resolve("README.md")).isNotEmptyFile();
                        assertThat(example.resolve("serval.toml"))
                                .content()
                                .contains("${PORT:-8080}");
                    });
        }
    }
}
