package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.lrwp.peer.LrwpPeer;
import dev.serval.lrwp.peer.LrwpResponse;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Applications that dial in by TLS.
@Timeout(120)
final class LrwpTlsRunTest {
    private static final TestKeys KEYS = TestKeys.local();

    @TempDir private Path folder;

    @Test
    void applicationDialsInByTls() throws Exception {
        try (ServerProcess server = started();
                LrwpPeer peer = peer(server, KEYS.trusting())) {
            assertThat(peer.awaitConnected(Duration.ofSeconds(60))).isTrue();
            for (int i = 0; i < 20; i++) {
                try (RawClient client = RawClient.connect(server.socketAddress())) {
                    assertThat(client.send("GET /app HTTP/1.1\r\nHost: h\r\n\r\n").answer().text())
                            .isEqualTo("hello");
                }
            }
        }
    }

    @Test
    void applicationChecksTheCertificate() throws Exception {
        TestKeys other = TestKeys.make("EC", "dns:localhost,ip:127.0.0.1");
        try (ServerProcess server = started();
                LrwpPeer peer = peer(server, other.trusting())) {
            Await.until("the application says why", () -> peer.problem() != null);
            assertThat(peer.problem()).contains("certificat");
            assertThat(peer.connected()).isZero();
        }
    }

    /// LRWP is open only to applications that show a certificate of the authority.
    @Test
    void applicationMustShowItsCertificate() throws Exception {
        TestKeys authority =
                TestKeys.make("EC", "dns:ca.test", "-ext", "bc:c", "-dname", "CN=authority");
        TestKeys member = TestKeys.signedBy(authority, "EC", "dns:member.test");
        TestKeys stranger = TestKeys.make("EC", "dns:stranger.test");
        String needed =
                """
                lrwp.tls.client-certificate = "need"
                lrwp.tls.client-authorities = "%s"
                """
                        .formatted(authority.certificate());
        try (ServerProcess server = started(needed);
                LrwpPeer unnamed = peer(server, KEYS.trusting());
                LrwpPeer refused = peer(server, stranger.showing(KEYS));
                LrwpPeer peer = peer(server, member.showing(KEYS))) {
            assertThat(peer.awaitConnected(Duration.ofSeconds(60))).isTrue();
            for (LrwpPeer each : List.of(unnamed, refused)) {
                Await.until("the application says why", () -> each.problem() != null);
                assertThat(each.connected()).isZero();
            }
            try (RawClient client = RawClient.connect(server.socketAddress())) {
                assertThat(client.send("GET /app HTTP/1.1\r\nHost: h\r\n\r\n").answer().text())
                        .isEqualTo("hello");
            }
        }
    }

    private static LrwpPeer peer(ServerProcess server, SSLContext trusting) {
        return LrwpPeer.builder()
                .agent("127.0.0.1", server.lrwpAddress().getPort())
                .tls(trusting)
                .connections(4)
                .register("app")
                .handler(_ -> LrwpResponse.text("hello"))
                .start();
    }

    private ServerProcess started() throws IOException {
        return started("");
    }

    /// Starts the server.
    ///
    /// @param more further lines of its configuration
    private ServerProcess started(String more) throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("serval.toml"),
                        """
                        listener = [{ address = "0" }]
                        lrwp.listen = "0"
                        lrwp.tls.certificate = "%s"
                        lrwp.tls.key = "%s"
                        %s
                        """
                                .formatted(KEYS.certificate(), KEYS.key(), more));
        ServerProcess server =
                ServerProcess.start(
                        Map.of(
                                "XDG_RUNTIME_DIR",
                                folder.toString(),
                                "XDG_CACHE_HOME",
                                folder + "/caches"),
                        List.of("run", "--config", file.toString()));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }
}
