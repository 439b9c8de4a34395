package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.serval.site.TestArchive;
import dev.serval.testkit.Await;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server process with a configuration file, and the commands check, reload and stop, as a user
/// gives them.
@Timeout(120)
final class ConfigRunTest {
    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet("/hello")
            public class Hello extends jakarta.servlet.http.HttpServlet {
                private int calls;
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    response.getWriter().print("call " + ++calls + " of VERSION");
                }
            }
            """;

    @TempDir Path folder;
    private ServalUser user;

    @BeforeEach
    void prepare() throws IOException {
        user = new ServalUser(folder);
        site("one");
        site("two");
    }

    private void site(String name) throws IOException {
        Path site = Files.createDirectories(folder.resolve(name));
        Files.writeString(site.resolve("index.html"), name);
    }

    private static RawResponse get(ServerProcess server, String host, String path) {
        try (RawClient client = RawClient.connect(server.socketAddress())) {
            return client.exchange("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
        }
    }

    @Test
    void servesWhatTheFileSaysByHost() throws Exception {
        user.writes(
                """
                [[mount]]
                folder = "one"
                [[host]]
                name = "two.example"
                mount = [{ folder = "two" }]
                """);
        try (ServerProcess server = user.starts()) {
            assertThat(get(server, "any", "/").text()).isEqualTo("one");
            assertThat(get(server, "two.example", "/").text()).isEqualTo("two");
            assertThat(server.readyLines()).hasSize(2).last().asString().contains("two.example");
        }
    }

    @Test
    void startTellsOfAFileThatOnlyRedirectsAndOfShortTimes() throws Exception {
        user.writes("limits.idle-time = \"1500ms\"\n[[mount]]\nredirect = \"https://a.example/*\"");
        try (ServerProcess server = user.starts()) {
            assertThat(server.readyLines()).singleElement().asString().endsWith("/  redirects");
            assertThat(server.screen())
                    .anyMatch(line -> line.endsWith("connections are closed after 1500 ms"));
            assertThat(server.get("/x").field("Location")).isEqualTo("https://a.example/x");
        }
    }

    @Test
    void commandLineOverridesTheFile() throws Exception {
        user.writes("[[mount]]\nfolder = \"one\"\n[[mount]]\nat = \"/x\"\nfolder = \"one\"");
        try (ServerProcess server = user.starts("/=" + folder.resolve("two"))) {
            assertThat(server.get("/").text()).isEqualTo("two");
            assertThat(server.get("/x/").text()).isEqualTo("one");
        }
    }

    @Test
    void reloadAppliesWhatHasChangedAndOnlyThat() throws Exception {
        Path app = TestArchive.write(folder, "shop.war", "<web-app/>", SERVLET);
        user.writes(
                """
                [[mount]]
                folder = "one"
                [[mount]]
                at = "/shop"
                app = "shop.war"
                [[mount]]
                at = "/old"
                folder = "one"
                """);
        assertThat(app).exists();
        try (ServerProcess server = user.starts();
                Socket open = new Socket()) {
            open.connect(server.socketAddress());
            assertThat(server.get("/shop/hello").text()).startsWith("call 1 ");
            user.writes(
                    """
                    [limits]
                    content = "1k"
                    [[mount]]
                    folder = "two"
                    [[mount]]
                    at = "/shop"
                    app = "shop.war"
                    [[mount]]
                    at = "/new"
                    folder = "one"
                    """);
            ServalUser.Printed reload = user.types("reload");
            assertThat(reload.err()).isEmpty();
            assertThat(reload.exitCode()).isZero();
            assertThat(reload.out())
                    .containsExactly(
                            "~ limits content: \"10m\" → \"1k\"",
                            "~ mount \"/\" folder: \"one\" → \"two\"",
                            "- mount \"/old\"",
                            "+ mount \"/new\"",
                            "The configuration is in force.");
            assertThat(server.get("/").text()).isEqualTo("two");
            assertThat(server.get("/new/").text()).isEqualTo("one");
            assertThat(server.get("/old/").status()).isEqualTo(404);
            assertThat(server.get("/shop/hello").text()).startsWith("call 2 ");
            open.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(open.getInputStream().readNBytes(15))
                    .asString()
                    .isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void checkListsMistakesInTheOrderOfTheFileAndNotesOfARightOne() throws Exception {
        user.writes(
                """
                [[mount]]
                at = "/a"
                folder = "missing"
                [[mount]]
                at = "/b"
                foldr = "one"
                [[mount]]
                at = "/c"
                folder = "missing"
                """);
        ServalUser.Printed wrong = user.types("check", user.file().toString());
        assertThat(wrong.exitCode()).isEqualTo(2);
        List<Integer> lines =
                wrong.err()
                        .lines()
                        .filter(line -> line.contains(".toml:"))
                        .map(line -> line.replaceAll("^.*toml:(\\d+):.*$", "$1"))
                        .map(Integer::valueOf)
                        .toList();
        assertThat(lines).hasSizeGreaterThanOrEqualTo(3).isSorted();
        user.writes(
                """
                [[mount]]
                folder = "one"
                [[mount]]
                at = "/a"
                redirect = "/b/"
                """);
        ServalUser.Printed right = user.types("check", user.file().toString());
        assertThat(right.exitCode()).isZero();
        assertThat(right.err()).contains("serval: Note: ", "write \"/b/*\"");
        ServalUser.Printed asForRun = user.types("check", "--config", user.file().toString());
        assertThat(asForRun).isEqualTo(right);
    }

    @Test
    void wrongFileChangesNothingAndSaysWhy() throws Exception {
        user.writes("[[mount]]\nfolder = \"one\"\n");
        try (ServerProcess server = user.starts()) {
            user.writes("[[mount]]\nfoldr = \"two\"\n");
            ServalUser.Printed reload = user.types("reload");
            assertThat(reload.exitCode()).isEqualTo(2);
            assertThat(reload.err())
                    .contains("serval.toml:4:1: There is no key foldr", "Nothing has changed.");
            assertThat(server.get("/").text()).isEqualTo("one");
            ServalUser.Printed diff = user.types("check", user.file().toString(), "--diff");
            assertThat(diff.exitCode()).isEqualTo(2);
            user.writes("[[mount]]\nfolder = \"two\"\n");
            assertThat(user.types("check", user.file().toString(), "--diff").out())
                    .containsExactly("~ mount \"/\" folder: \"one\" → \"two\"");
            assertThat(server.get("/").text()).isEqualTo("one");
        }
    }

    @Test
    void applicationThatCannotStartChangesNothing() throws Exception {
        user.writes("[[mount]]\nfolder = \"one\"\n");
        try (ServerProcess server = user.starts()) {
            Files.createDirectories(folder.resolve("broken/WEB-INF"));
            Files.writeString(folder.resolve("broken/WEB-INF/web.xml"), "<web-app><x/></web-app>");
            user.writes("[[mount]]\nfolder = \"two\"\n[[mount]]\nat = \"/b\"\napp = \"broken\"\n");
            ServalUser.Printed reload = user.types("reload");
            assertThat(reload.exitCode()).isEqualTo(1);
            assertThat(reload.err()).contains("was not started: ", "Nothing has changed.");
            assertThat(server.get("/").text()).isEqualTo("one");
        }
    }

    @Test
    void reloadEndsWhatACommandHasDeployedAtThePlace() throws Exception {
        TestArchive.write(folder, "shop.war", "<web-app/>", SERVLET);
        user.writes("[[mount]]\nfolder = \"one\"\n");
        try (ServerProcess server = user.starts()) {
            String app = "/shop=" + folder.resolve("shop.war");
            assertThat(user.types("deploy", app).exitCode()).isZero();
            assertThat(server.get("/shop/hello").text()).startsWith("call 1 ");
            user.writes(
                    "[[mount]]\nfolder = \"one\"\n[[mount]]\nat = \"/shop\"\nfolder = \"two\"\n");
            assertThat(user.types("reload").exitCode()).isZero();
            assertThat(server.get("/shop/").text()).isEqualTo("two");
            assertThat(user.types("undeploy", "/shop").err())
                    .contains("No application runs at /shop");
            assertThat(server.get("/shop/").text()).isEqualTo("two");
        }
    }

    /// Writes an application with a page, whose name is its content.
    private void application(String name) throws IOException {
        Path classes = Files.createDirectories(folder.resolve(name).resolve("WEB-INF/classes"));
        Files.write(classes.resolve("Hello.class"), TestArchive.compiled(folder, SERVLET));
        Files.writeString(folder.resolve(name).resolve("index.html"), name);
    }

    private void reloads(String text) throws Exception {
        user.writes(text);
        ServalUser.Printed reload = user.types("reload");
        assertThat(reload.exitCode()).as(reload.err()).isZero();
    }

    private static void assertPage(ServerProcess server, String cacheControl, String text) {
        RawResponse page = server.get("/shop/index.html");
        assertThat(page.field("Cache-Control")).isEqualTo(cacheControl);
        assertThat(page.text()).isEqualTo(text);
    }

    /// Also one that a command has deployed in place of that of the configuration.
    @Test
    void applicationContinuesWhileItsFilesAreServedOtherwise() throws Exception {
        application("shop");
        application("next");
        String mount = "[[mount]]\nat = \"/shop\"\napp = \"shop\"\n";
        String files = "files = { listing = true, cache-control = { \"/**\" = \"one\" } }\n";
        user.writes(mount);
        try (ServerProcess server = user.starts()) {
            assertThat(server.get("/shop/hello").text()).startsWith("call 1 ");
            reloads(files + mount + "deny = \"*.inc\"\n");
            assertPage(server, "one", "shop");
            assertThat(server.get("/shop/hello").text()).startsWith("call 2 ");
            user.types("deploy", "/shop=" + folder.resolve("next"));
            assertPage(server, "one", "next");
            assertThat(server.get("/shop/hello").text()).startsWith("call 1 ");
            reloads(files + mount + "files.cache-control = { \"/**\" = \"two\" }\n");
            assertPage(server, "two", "next");
            reloads(files + mount + "[[mount]]\nat = \"/late\"\napp = \"next\"\n");
            assertPage(server, "one", "next");
            assertThat(server.get("/shop/hello").text()).startsWith("call 2 ");
            assertThat(server.get("/late/index.html").field("Cache-Control")).isEqualTo("one");
        }
    }

    @Test
    void undeployedPlaceKeepsItsRules() throws Exception {
        TestArchive.write(folder, "shop.war", "<web-app/>", SERVLET);
        user.writes(
                """
                [[mount]]
                folder = "one"
                [[mount]]
                at = "/shop"
                app = "shop.war"
                access = ["deny all"]
                """);
        try (ServerProcess server = user.starts()) {
            assertThat(server.get("/shop/hello").status()).isEqualTo(403);
            assertThat(user.types("undeploy", "/shop").exitCode()).isZero();
            assertThat(server.get("/shop/hello").status()).isEqualTo(403);
        }
    }

    @Test
    void applicationOfAHostIsReplacedAndEnded() throws Exception {
        TestArchive.write(folder, "shop.war", "<web-app/>", SERVLET);
        user.writes(
                """
                [[mount]]
                folder = "one"
                [[host]]
                name = "shop.example"
                mount = [{ at = "/shop", app = "shop.war" }]
                """);
        try (ServerProcess server = user.starts()) {
            assertThat(user.types("undeploy", "/shop").err()).contains("No application runs at");
            ServalUser.Printed next =
                    user.types("deploy", "shop.example/shop=" + folder.resolve("shop.war"));
            assertThat(next.out().getFirst())
                    .startsWith("shop.example/shop  shop.war  takes requests");
            assertThat(user.types("undeploy", "shop.example/shop").exitCode()).isZero();
            assertThat(user.types("undeploy", "shop.example/shop").err())
                    .contains("No application runs at shop.example/shop");
            assertThat(
                            user.types("deploy", "SHOP.example/=" + folder.resolve("shop.war"))
                                    .exitCode())
                    .isZero();
            ServalUser.Printed other =
                    user.types("deploy", "other.example/=" + folder.resolve("shop.war"));
            assertThat(other.err())
                    .contains("There is no [[host]] other.example in the configuration: add it");
            assertThat(other.exitCode()).isEqualTo(2);
            assertThat(server.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    void welcomePageGoesWithTheFirstMountAndComesBack() throws Exception {
        user.writes("");
        try (ServerProcess server = user.starts()) {
            assertThat(server.get("/").text()).contains("Serval");
            user.writes("[[mount]]\nat = \"/x\"\nfolder = \"one\"\n");
            assertThat(user.types("reload").exitCode()).isZero();
            assertThat(server.get("/").status()).isEqualTo(404);
            assertThat(server.get("/x/").text()).isEqualTo("one");
            user.writes("");
            assertThat(user.types("reload").exitCode()).isZero();
            assertThat(server.get("/").text()).contains("Serval");
        }
    }

    @Test
    void hangUpReloadsAndStopEnds() throws Exception {
        assumeFalse(ignoresHangUp(), "needs a start without nohup");
        user.writes("[[mount]]\nfolder = \"one\"\n");
        try (ServerProcess server = user.starts()) {
            user.writes("[[mount]]\nfolder = \"two\"\n");
            server.signal("HUP");
            server.awaitLine("The configuration is in force.");
            assertThat(server.get("/").text()).isEqualTo("two");
            ServalUser.Printed stop = user.types("stop");
            assertThat(stop.exitCode()).isZero();
            assertThat(stop.out()).endsWith("The server has ended.");
            assertThat(server.exitCode()).isZero();
        }
    }

    /// A deployment may remove the folder in which the server was started, and unpack it again.
    @Test
    void workingFolderMayBeReplaced() throws Exception {
        assumeFalse(ignoresHangUp(), "needs a start without nohup");
        ServalUser there = new ServalUser(Files.createDirectories(folder.resolve("app")));
        there.writes("");
        try (ServerProcess server = there.startsThere()) {
            Files.move(there.folder(), folder.resolve("former"));
            Files.createDirectories(there.folder());
            there.writes("[[mount]]\nfolder = \"../two\"\n");
            server.signal("HUP");
            server.awaitLine("The configuration is in force.");
            assertThat(server.get("/").text()).isEqualTo("two");
        }
    }

    /// A process inherits from its parent that it ignores a signal, and a JVM leaves it so.
    private static boolean ignoresHangUp() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.isReadable(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Character.digit(line.charAt(line.length() - 1), 16) & 1) == 1);
    }

    /// The first one would cut the request.
    @Test
    void stopTakesTheTimeOfTheLastReload() throws Exception {
        try (ServerSocket upstream = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String mount =
                    "\"\n[[mount]]\nproxy = \"http://127.0.0.1:" + upstream.getLocalPort() + "\"\n";
            user.writes("server.stop-time = \"0" + mount);
            try (ServerProcess server = user.starts();
                    RawClient client = RawClient.connect(server.socketAddress())) {
                user.writes("server.stop-time = \"1m" + mount);
                assertThat(user.types("reload").out()).contains("The configuration is in force.");
                client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                try (Socket asked = upstream.accept()) {
                    server.signal("TERM");
                    server.awaitLine("Stopping: ");
                    Await.until("it accepts no more", () -> isRefused(server.socketAddress()));
                    asked.getOutputStream()
                            .write(
                                    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nlate"
                                            .getBytes(StandardCharsets.US_ASCII));
                    assertThat(client.answer().text()).isEqualTo("late");
                }
                assertThat(server.exitCode()).isZero();
            }
        }
    }

    private static boolean isRefused(InetSocketAddress address) {
        try (Socket _ = new Socket(address.getAddress(), address.getPort())) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void commandsFindTheServerOfAFileWithAMistake() throws Exception {
        String right =
                """
                server.state = "s"
                [[host]]
                name = "two.example"
                [[host.mount]]
                at = "/b"
                proxy = "http://127.0.0.1:1"
                """;
        user.writes(right);
        try (ServerProcess server = user.starts()) {
            assertThat(server.readyLines())
                    .singleElement()
                    .asString()
                    .matches("http://two.example:\\d+/b/  http://127.0.0.1:1");
            user.writes(right + "[[mount]\nfolder =");
            String file = user.file().toString();
            assertThat(user.types("drain", "--config", file).exitCode()).isZero();
            assertThat(user.typesThere("status").out())
                    .anyMatch(line -> line.contains("not ready"));
            assertThat(user.typesThere("reload").err()).contains("This is not TOML");
            assertThat(user.types("status").exitCode()).as("in another folder").isOne();
            assertThat(user.typesThere("stop").out()).endsWith("The server has ended.");
        }
    }

    @Test
    void fileWhoseServerDoesNotRunIsNoHindrance() throws Exception {
        user.writes("server.state = \"s\"\n[[mount]]\nfolder = \"one\"\n");
        try (ServerProcess server =
                ServerProcess.start(
                        user.environment(),
                        List.of("run", folder.resolve("two").toString(), "--port", "0"))) {
            server.awaitLine("Ctrl-C stops it.");
            assertThat(user.typesThere("status").exitCode()).isZero();
            String port = String.valueOf(server.socketAddress().getPort());
            assertThat(user.typesThere("status", "--server", port).exitCode()).isZero();
        }
    }

    /// Writes the configuration of a server at an address.
    private Path listeningAt(String name, String address) throws IOException {
        return Files.writeString(
                folder.resolve(name),
                "applications.logs = \"none\"\nlistener = [{ address = \""
                        + address
                        + "\" }]\n[[mount]]\nfolder = \"one\"\n");
    }

    private ServerProcess started(Path file) throws IOException {
        ServerProcess server =
                ServerProcess.start(
                        user.environment(), List.of("run", "--config", file.toString()));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    @Test
    void commandWithAConfigurationReachesNoOtherServer() throws Exception {
        int port = FreePort.find();
        Path first = listeningAt("first.toml", "127.0.0.1:" + port);
        Path second = listeningAt("second.toml", "127.0.0.2:" + port);
        try (ServerProcess one = started(first);
                ServerProcess two = started(second)) {
            ServalUser.Printed printed = user.types("stop", "--config", second.toString());
            assertThat(printed.exitCode()).isEqualTo(1);
            assertThat(printed.err()).contains("runs with " + second, port + " (" + first + ")");
            assertThat(one.get("/").text()).isEqualTo("one");
            assertThat(user.types("stop", "--config", first.toString()).exitCode()).isZero();
            assertThat(one.exitCode()).isZero();
            assertThat(two.isAlive()).isTrue();
        }
    }

    @Test
    void commandsFindTheServerWhoseAddressHasChanged() throws Exception {
        Path file = listeningAt("moved.toml", "127.0.0.1:" + FreePort.find());
        try (ServerProcess server = started(file)) {
            assertThat(server.isAlive()).isTrue();
            int port = FreePort.find();
            listeningAt("moved.toml", "127.0.0.1:" + port);
            for (int i = 0; i < 2; i++) { // before and after the change
                ServalUser.Printed reload = user.types("reload", "--config", file.toString());
                assertThat(reload.exitCode()).as(reload.err()).isZero();
            }
            assertThat(
                            RawClient.get(
                                            new InetSocketAddress(
                                                    InetAddress.getLoopbackAddress(), port),
                                            "/")
                                    .text())
                    .isEqualTo("one");
        }
    }

    @Test
    void stateFolderHasTheControlSocket() throws Exception {
        Files.writeString(
                user.file(),
                "[server]\nstate = \"s\"\n[applications]\nlogs = \"none\"\n[[listener]]\n"
                        + "address = \"unix:"
                        + folder.resolve("http.sock")
                        + "\"\n[[mount]]\nfolder = \"one\"\n");
        try (ServerProcess server =
                ServerProcess.start(
                        user.environment(), List.of("run", "--config", user.file().toString()))) {
            server.awaitLine("Ctrl-C stops it.");
            ServalUser.Printed status = user.types("status", "--config", user.file().toString());
            assertThat(status.exitCode()).isZero();
            assertThat(user.types("stop", "--config", user.file().toString()).exitCode()).isZero();
        }
    }

    @Test
    void reloadUnderLoadFailsNoRequest() throws Exception {
        user.writes("[[mount]]\nfolder = \"one\"\n");
        try (ServerProcess server = user.starts()) {
            InetSocketAddress address = server.socketAddress();
            List<String> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> clients = new ArrayList<>();
            var stop = new AtomicBoolean();
            for (int i = 0; i < 4; i++) {
                clients.add(
                        Thread.ofVirtual()
                                .start(() -> {
                                    while (!stop.get()) {
                                        RawResponse response = RawClient.get(address, "/");
                                        String text = response.text();
                                        if (!text.equals("one") && !text.equals("two")) {
                                            failures.add(response.status() + " " + text);
                                        }
                                    }
                                }));
            }
            for (int i = 0; i < 3; i++) {
                user.writes("[[mount]]\nfolder = \"" + (i % 2 == 0 ? "two" : "one") + "\"\n");
                assertThat(user.types("reload").exitCode()).isZero();
            }
            stop.set(true);
            for (Thread client : clients) {
                client.join(TimeUnit.SECONDS.toMillis(20));
            }
            assertThat(failures).isEmpty();
            Await.until(
                    "the last configuration serves", () -> server.get("/").text().equals("two"));
        }
    }
}
