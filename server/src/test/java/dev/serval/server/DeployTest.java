package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.UsersFile;
import dev.serval.site.TestArchive;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The commands deploy, undeploy and status, given to a server process as a user gives them.
@Timeout(120)
final class DeployTest {
    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet("/hello")
            public class Hello extends jakarta.servlet.http.HttpServlet {
                @SuppressWarnings("unchecked")
                private static final java.util.List<java.lang.ref.WeakReference<Object>> LOADERS =
                        (java.util.List<java.lang.ref.WeakReference<Object>>)
                                System.getProperties().computeIfAbsent("loaders",
                                        key -> new java.util.concurrent.CopyOnWriteArrayList<>());
                static {
                    LOADERS.add(new java.lang.ref.WeakReference<>(Hello.class.getClassLoader()));
                }
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    if (request.getParameter("wait") != null) {
                        waitLong();
                    }
                    if (request.getParameter("loaders") != null) {
                        System.gc();
                        response.getWriter().print(
                                LOADERS.stream().filter(each -> !each.refersTo(null)).count());
                        return;
                    }
                    response.getWriter().print("VERSION");
                }
                private void waitLong() throws java.io.IOException {
                    java.nio.file.Path go = java.nio.file.Path.of("GO");
                    try (var changes = go.getFileSystem().newWatchService()) {
                        go.getParent().register(
                                changes, java.nio.file.StandardWatchEventKinds.ENTRY_CREATE);
                        while (!java.nio.file.Files.exists(go)) {
                            changes.take().reset();
                        }
                    } catch (InterruptedException e) {
                        throw new java.io.IOException(e);
                    }
                }
            }
            """;

    @TempDir Path folder;
    private Path go;

    @BeforeEach
    void prepare() {
        go = folder.resolve("go");
    }

    /// What a command printed.
    private record Printed(int exitCode, String out, String err) {}

    private Map<String, String> environment() {
        return Map.of("XDG_RUNTIME_DIR", folder.toString());
    }

    private Path archive(String version) throws IOException {
        Path place = Files.createDirectories(folder.resolve("builds").resolve(version));
        return TestArchive.write(
                place,
                "shop.war",
                "<web-app/>",
                SERVLET.replace("VERSION", version).replace("GO", go.toString()));
    }

    private ServerProcess started(Path mount) throws IOException {
        return started(mount.toString());
    }

    private ServerProcess started(String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("run", "--port", "0", "--app-logs", "none"));
        arguments.addAll(List.of(more));
        ServerProcess server = ServerProcess.start(environment(), arguments);
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    private Printed serval(String... arguments) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(ServerProcess.command(List.of(arguments)));
        builder.environment().putAll(environment());
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Printed(process.exitValue(), Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void newVersionTakesRequestsAndTheFormerEndsAfterItsLastOne() throws Exception {
        try (ServerProcess server = started(archive("one"));
                RawClient client = RawClient.connect(server.socketAddress())) {
            client.send("GET /hello?wait HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.until(
                    "status shows the request with its stack",
                    () -> status().contains("Hello.waitLong"));
            Path second = archive("two");
            Thread deploying =
                    Thread.ofPlatform()
                            .start(() -> {
                                Printed printed = run("deploy", second.toString());
                                assertThat(printed.err()).isEmpty();
                                assertThat(printed.out())
                                        .contains("shop.war  takes requests")
                                        .contains("ended after its last request");
                            });
            Await.until("the new version serves", () -> server.get("/hello").text().equals("two"));
            Files.createFile(go);
            assertThat(client.answer().text()).isEqualTo("one");
            deploying.join();
        }
    }

    @Test
    void formerVersionsLeaveMemory() throws Exception {
        try (ServerProcess server = started(archive("one"))) {
            assertThat(server.get("/hello").text()).isEqualTo("one");
            for (String version : List.of("two", "three")) {
                assertThat(serval("deploy", archive(version).toString()).exitCode()).isZero();
                assertThat(server.get("/hello").text()).isEqualTo(version);
            }
            Await.until(
                    "one version is left", () -> server.get("/hello?loaders").text().equals("1"));
        }
    }

    @Test
    void serverThatStopsTakesNoRequestsBeforeItsApplicationsEnd() throws Exception {
        try (ServerProcess server = started(archive("one"));
                RawClient client = RawClient.connect(server.socketAddress())) {
            client.send("GET /hello?wait HTTP/1.1\r\nHost: a\r\n\r\n");
            Await.until("the request runs", () -> status().contains("Hello.waitLong"));
            server.signal("TERM");
            server.awaitLine("Stopping");
            String answer = answer(server);
            while (!answer.isEmpty()) { // an application that has ended would answer 503
                assertThat(answer).startsWith("HTTP/1.1 200 ").endsWith("one");
                answer = answer(server);
            }
            Files.createFile(go);
            assertThat(server.exitCode()).isZero();
        }
    }

    /// Returns the whole answer on a new connection; empty if the server takes none.
    private static String answer(ServerProcess server) {
        try (RawClient client = RawClient.connect(server.socketAddress())) {
            client.send("GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            return new String(client.rest(), StandardCharsets.UTF_8);
        } catch (UncheckedIOException e) {
            return "";
        }
    }

    private String status() {
        return run("status").out();
    }

    private Printed run(String... arguments) {
        try {
            return serval(arguments);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void versionThatDoesNotStartChangesNothing() throws Exception {
        try (ServerProcess server = started(archive("one"))) {
            Path broken =
                    Files.write(
                            Files.createDirectory(folder.resolve("broken")).resolve("shop.war"),
                            "none".getBytes(StandardCharsets.UTF_8));
            Printed printed = serval("deploy", broken.toString());
            assertThat(printed.exitCode()).isEqualTo(1);
            assertThat(printed.err())
                    .contains("was not deployed", "this is not a ZIP archive", "continues");
            assertThat(server.get("/hello").text()).isEqualTo("one");
        }
    }

    @Test
    void deploysAndEndsAnotherApplicationBesideAFolder() throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "plain");
        try (ServerProcess server = started(site)) {
            Path shop = archive("one");
            for (int i = 0; i < 2; i++) { // a refused change has ended
                assertThat(serval("deploy", "/=" + shop).err())
                        .contains("Something else is served at /: choose another path");
            }
            assertThat(serval("deploy", shop.toString()).exitCode()).isZero();
            assertThat(server.get("/shop/hello").text()).isEqualTo("one");
            assertThat(server.get("/").text()).isEqualTo("plain");
            assertThat(serval("undeploy", "/shop").exitCode()).isZero();
            assertThat(server.get("/shop/hello").status()).isEqualTo(404);
            assertThat(serval("undeploy", "/shop").err())
                    .contains("No application runs at /shop: see serval status");
        }
    }

    @Test
    void socketIsOfTheUserAloneAndEndsWithTheServer() throws Exception {
        try (ServerProcess server = started(archive("one"))) {
            Path sockets = folder.resolve("serval");
            assertThat(Files.getPosixFilePermissions(sockets))
                    .isEqualTo(PosixFilePermissions.fromString("rwx------"));
            Path socket = sockets.resolve(server.address().getPort() + ".sock");
            assertThat(socket).exists();
            server.signal("TERM");
            assertThat(server.exitCode()).isZero();
            assertThat(socket).doesNotExist();
        }
        Printed printed = serval("status");
        assertThat(printed.exitCode()).isEqualTo(1);
        assertThat(printed.err())
                .contains("No server of this user runs here")
                .contains("name the file of one with --config");
        Path empty = Files.createFile(folder.resolve("empty.toml"));
        assertThat(serval("reload", "--config", empty.toString()).err())
                .contains("empty.toml is empty", "server.state");
    }

    @Test
    void developmentModeRestartsAChangedApplication() throws Exception {
        Path exploded = folder.resolve("exploded");
        Path classes = Files.createDirectories(exploded.resolve("WEB-INF/classes"));
        Files.write(
                classes.resolve("Hello.class"),
                TestArchive.compiled(folder, SERVLET.replace("VERSION", "one")));
        try (ServerProcess server = started("--dev", exploded.toString())) {
            assertThat(server.get("/hello").text()).isEqualTo("one");
            Path descriptor = exploded.resolve("WEB-INF/web.xml");
            Files.writeString(descriptor, "<web-app><servlt/></web-app>");
            server.awaitLine("Changed: / was not restarted, so the former version continues");
            assertThat(server.get("/hello").text()).isEqualTo("one");
            Files.write(
                    classes.resolve("Hello.class"),
                    TestArchive.compiled(folder, SERVLET.replace("VERSION", "two")));
            Files.delete(descriptor);
            server.awaitLine("Changed: / was restarted");
            assertThat(server.get("/hello").text()).isEqualTo("two");
        }
    }

    @Test
    void developmentModeListsTheApplications() throws Exception {
        Path shop = archive("one");
        try (ServerProcess server = started("--dev", "/a&b=" + shop)) {
            assertThat(server.get("/").text())
                    .contains("<a href=\"/a%26b/\">/a&amp;b/</a>")
                    .doesNotContain("/other");
            assertThat(server.get("/a%26b/hello").text()).isEqualTo("one");
            assertThat(server.get("/x").status()).isEqualTo(404);
            assertThat(serval("deploy", "/other=" + shop).exitCode()).isZero();
            assertThat(server.get("/").text()).contains("/other/");
        }
        try (ServerProcess server = started("/shop=" + shop)) {
            assertThat(server.get("/").status()).isEqualTo(404);
        }
        try (ServerProcess server = started("--dev", "--host", "0.0.0.0", "/shop=" + shop)) {
            assertThat(server.screen())
                    .contains(
                            "Other machines can reach this server, and see why requests fail:"
                                    + " leave out --dev.");
        }
    }

    @Test
    void statusShowsSessionsAndLogins() throws Exception {
        Path users = folder.resolve("users.txt");
        assertThat(UsersFile.add(users, "ann", Set.of("staff"), "right", null)).isTrue();
        String webXml =
                """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <security-constraint>
                    <web-resource-collection>
                      <web-resource-name>page</web-resource-name>
                      <url-pattern>/index.html</url-pattern>
                    </web-resource-collection>
                    <auth-constraint><role-name>staff</role-name></auth-constraint>
                  </security-constraint>
                  <login-config><auth-method>BASIC</auth-method></login-config>
                  <security-role><role-name>staff</role-name></security-role>
                </web-app>
                """;
        String servlet =
                SERVLET.replace(
                        "response.getWriter()", "request.getSession(); response.getWriter()");
        Path war = TestArchive.write(folder, "shop.war", webXml, servlet);
        try (ServerProcess server = started("--users", users.toString(), war.toString())) {
            assertThat(status())
                    .contains("logins       0 (known 0, wrong 0")
                    .doesNotContain("in memory");
            assertThat(login(server, "ann:wrong")).isEqualTo(401);
            assertThat(login(server, "ann:right")).isEqualTo(200);
            // Last: without its cookie a session ends after a minute, which logins may take.
            assertThat(server.get("/hello").status()).isEqualTo(200);
            assertThat(status())
                    .contains("logins       1 (known 0, wrong 1, delayed 0, refused 0, replayed 0)")
                    .containsPattern("Sessions +in memory +in files +lost +others")
                    .containsPattern("/ +1 +0 +0");
        }
    }

    @Test
    void statusCountsRequestsThatFailedInAnApplication() throws Exception {
        String servlet =
                SERVLET.replace(
                        "response.getWriter()",
                        "if (true) throw new OutOfMemoryError(\"meant\"); response.getWriter()");
        Path war = TestArchive.write(folder, "shop.war", "<web-app/>", servlet);
        try (ServerProcess server = started(war.toString())) {
            assertThat(server.get("/hello").status()).isEqualTo(500);
            assertThat(server.get("/hello").status()).isEqualTo(500);
            assertThat(server.get("/absent").status()).isEqualTo(404);
            assertThat(status())
                    .contains("requests     3 (refused 0, 4xx 1, 5xx 2, faults of applications 2)");
        }
    }

    private static int login(ServerProcess server, String credentials) {
        String encoded =
                Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
        // A check of a password computes for long, on a busy machine for very long.
        try (RawClient client =
                RawClient.connect(server.socketAddress()).patience(Duration.ofSeconds(60))) {
            return client.exchange(
                            "GET /index.html HTTP/1.1\r\nHost: a\r\nAuthorization: Basic "
                                    + encoded
                                    + "\r\n\r\n")
                    .status();
        }
    }

    @Test
    void choosesAmongSeveralServers() throws Exception {
        try (ServerProcess first = started(archive("one"));
                ServerProcess second = started(archive("two"))) {
            assertThat(serval("status").err()).contains("Several servers run", "--server");
            int port = second.address().getPort();
            assertThat(serval("status", "--server", Integer.toString(port)).out())
                    .contains("127.0.0.1:" + port)
                    .doesNotContain("127.0.0.1:" + first.address().getPort());
        }
    }
}
