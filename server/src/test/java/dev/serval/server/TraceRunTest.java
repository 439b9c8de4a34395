package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.lrwp.peer.LrwpPeer;
import dev.serval.lrwp.peer.LrwpResponse;
import dev.serval.site.TestArchive;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.ScriptedPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A log with traces: each kind of application gets the trace that its line of the log has.
/// `LogRunTest` has the same for a server behind a mount.
@Timeout(120)
final class TraceRunTest {
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00";
    private static final String NEW_TRACE = "00-[0-9a-f]{32}-[0-9a-f]{16}-01";

    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet("/hello")
            public class Hello extends jakarta.servlet.http.HttpServlet {
                protected void doGet(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    response.getWriter().print(request.getHeader("traceparent"));
                }
            }
            """;

    @TempDir private Path folder;
    private Path log = Path.of("access.log");

    @BeforeEach
    void prepare() {
        log = folder.resolve("access.log");
    }

    private ServerProcess started(String mount) throws IOException {
        Files.writeString(
                folder.resolve("serval.toml"),
                """
                applications.logs = "none"
                listener = [{ address = "0" }]
                lrwp.listen = "0"
                [[log]]
                file = "access.log"
                pattern = "%{trace}x"
                """
                        + mount);
        ServerProcess server =
                ServerProcess.start(
                        Map.of(
                                "XDG_RUNTIME_DIR",
                                folder.toString(),
                                "XDG_CACHE_HOME",
                                folder + "/caches"),
                        List.of("run", "--config", folder.resolve("serval.toml").toString()));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    private static String ask(ServerProcess server, String path, String field) {
        try (RawClient client = RawClient.connect(server.socketAddress())) {
            return client.exchange("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + field + "\r\n")
                    .text();
        }
    }

    /// Checks the values that an application has seen for a request with a trace and one without.
    private void assertLogged(String first, String second) {
        assertThat(first).isEqualTo(TRACE);
        assertThat(second).matches(NEW_TRACE);
        Await.until("both requests are logged", () -> lines().size() >= 2);
        assertThat(lines()).containsExactlyInAnyOrder(id(first), id(second));
    }

    private static String id(String parent) {
        return parent.substring(3, 35);
    }

    private List<String> lines() {
        try {
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Test
    void servletReadsTheTraceAsAField() throws Exception {
        TestArchive.write(folder, "shop.war", "<web-app/>", SERVLET);
        try (ServerProcess server = started("[[mount]]\napp = 'shop.war'\n")) {
            assertLogged(
                    ask(server, "/hello", "traceparent: " + TRACE + "\r\n"),
                    ask(server, "/hello", ""));
        }
    }

    @Test
    void applicationThatDialsInReadsTheTrace() throws Exception {
        try (ServerProcess server = started("");
                LrwpPeer peer =
                        LrwpPeer.builder()
                                .agent("127.0.0.1", server.lrwpAddress().getPort())
                                .register("app")
                                .handler(request ->
                                        LrwpResponse.text(
                                                request.variable("HTTP_TRACEPARENT", "none")))
                                .start()) {
            assertThat(peer.awaitConnected(Duration.ofSeconds(60))).isTrue();
            assertLogged(
                    ask(server, "/app", "traceparent: " + TRACE + "\r\n"), ask(server, "/app", ""));
        }
    }

    @Test
    void fastcgiApplicationReadsTheTraceAsAVariable() throws Exception {
        String output = "Content-Type: text/plain\r\n\r\nhello";
        try (ScriptedPeer peer = CgiScripts.fastcgi(output, output)) {
            assertVariable("fastcgi", peer, "");
        }
    }

    @Test
    void scgiApplicationReadsTheTraceAsAVariable() throws Exception {
        String output = "Content-Type: text/plain\r\n\r\nhello";
        try (ScriptedPeer peer = CgiScripts.scgi(output, output)) {
            assertVariable("scgi", peer, "\0");
        }
    }

    private void assertVariable(String kind, ScriptedPeer peer, String separator)
            throws IOException {
        String mount = "[[mount]]\n" + kind + " = '127.0.0.1:" + peer.address().getPort() + "'\n";
        try (ServerProcess server = started(mount)) {
            assertThat(ask(server, "/", "traceparent: " + TRACE + "\r\n")).isEqualTo("hello");
            assertThat(ask(server, "/", "")).isEqualTo("hello");
            String name = "HTTP_TRACEPARENT" + separator;
            assertLogged(parentAfter(name, peer.received(0)), parentAfter(name, peer.received(1)));
        }
    }

    private static String parentAfter(String name, String received) {
        assertThat(received).contains(name);
        int at = received.indexOf(name) + name.length();
        return received.substring(at, at + TRACE.length());
    }
}
