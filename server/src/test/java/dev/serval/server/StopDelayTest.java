package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Readiness, and a stop that load balancers learn of before the server accepts no more.
@Timeout(120)
final class StopDelayTest {
    private static final int KILLED_BY_TERM = 128 + 15;

    @TempDir Path folder;

    @Test
    void delayedStopServesOnWhileItIsNotReady() throws Exception {
        try (ServerProcess server = started("1h")) {
            assertThat(server.get("/ready").text()).isEqualTo("ready\n");
            server.signal("TERM");
            server.awaitLine("Stopping in 3600 s");
            RawResponse ready = server.get("/ready?probe=1");
            assertThat(ready.status()).isEqualTo(503);
            assertThat(ready.text()).isEqualTo("not ready\n");
            assertThat(administration("/ready").status()).isEqualTo(503);
            assertThat(server.get("/health").text()).isEqualTo("alive\n");
            assertThat(administration("/health").status()).isEqualTo(200);
            assertThat(server.get("/").text()).isEqualTo("page");
            Await.until("a second signal ends it at once", () -> hasEnded(server));
            assertThat(server.exitCode()).isEqualTo(KILLED_BY_TERM);
        }
    }

    @Test
    void commandSaysForHowLongTheServerServesOn() throws Exception {
        try (ServerProcess server = started("1h");
                ServerProcess command =
                        ServerProcess.start(
                                Map.of("XDG_RUNTIME_DIR", folder.toString()), List.of("stop"))) {
            command.awaitLine("Stopping: the server refuses new connections in 3600 s");
            server.awaitLine("Stopping in 3600 s");
            assertThat(server.get("/").text()).isEqualTo("page");
            assertThat(command.isAlive()).isTrue();
        }
    }

    /// A balancer may check the port that sends browsers to https.
    @Test
    void listenerThatRedirectsTellsTheState() throws Exception {
        try (ServerProcess server = started("1h", "\"0\", https-redirect = 443")) {
            assertThat(server.get("/").status()).isEqualTo(308);
            assertThat(server.get("/ready").text()).isEqualTo("ready\n");
            assertThat(send("POST", "/drain", "{}").status()).isEqualTo(200);
            assertThat(server.get("/ready").status()).isEqualTo(503);
            assertThat(server.get("/health").text()).isEqualTo("alive\n");
        }
    }

    @Test
    void stopContinuesAfterTheDelay() throws Exception {
        try (ServerProcess server = started("10ms")) {
            server.signal("TERM");
            assertThat(server.rest()).contains("Stopped.");
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void interruptHasNoDelay() throws Exception {
        assumeTrue(ServerProcess.signals().contains("INT"), "needs SIGINT, which is ignored here");
        try (ServerProcess server = started("1h")) {
            server.signal("INT");
            assertThat(server.rest()).contains("Stopped.");
            assertThat(server.exitCode()).isZero();
        }
    }

    @Test
    void administratorDrainsAndForcesALoadMode() throws Exception {
        try (ServerProcess server = started("1h")) {
            assertThat(send("POST", "/drain", "{}").text()).contains("not ready from now on");
            assertThat(server.get("/ready").status()).isEqualTo(503);
            assertThat(server.get("/").text()).isEqualTo("page");
            assertThat(send("GET", "/status", "").text()).contains("not ready");
            assertThat(send("POST", "/drain", "{\"drain\":\"off\"}").status()).isEqualTo(200);
            assertThat(server.get("/ready").status()).isEqualTo(200);
            assertThat(send("POST", "/drain", "{\"drain\":\"so\"}").status()).isEqualTo(422);

            assertThat(send("PUT", "/load-mode", "{\"mode\":\"critical\"}").status())
                    .isEqualTo(200);
            assertThat(send("GET", "/status", "").text()).contains("load         critical, forced");
            assertThat(keepAlive(server)).isEqualTo("close");
            assertThat(send("PUT", "/load-mode", "{\"mode\":\"auto\"}").status()).isEqualTo(200);
            assertThat(keepAlive(server)).isEmpty();
            assertThat(send("PUT", "/load-mode", "{\"mode\":\"high\"}").status()).isEqualTo(422);
            assertThat(send("PUT", "/load-mode", "{}").status()).isEqualTo(422);
        }
    }

    private ServerProcess started(String delay) throws IOException {
        return started(delay, "\"0\"");
    }

    /// @param listener the value of its key `address`, and other keys
    private ServerProcess started(String delay, String listener) throws IOException {
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "page");
        Path file = folder.resolve("serval.toml");
        Files.writeString(
                file,
                """
                applications.logs = "none"
                listener = [{ address = LISTENER }]
                [server]
                stop-delay = "DELAY"
                ready-path = "/ready"
                health-path = "/health"
                [admin]
                listen = "unix:SOCKET"
                [[mount]]
                folder = "site"
                """
                        .replace("DELAY", delay)
                        .replace("LISTENER", listener)
                        .replace("SOCKET", folder.resolve("admin.sock").toString()));
        ServerProcess server =
                ServerProcess.start(
                        Map.of("XDG_RUNTIME_DIR", folder.toString()),
                        List.of("run", "--config", file.toString()));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    private RawResponse administration(String path) {
        return send("GET", path, "");
    }

    private RawResponse send(String method, String path, String content) {
        try (RawClient client =
                RawClient.connect(UnixDomainSocketAddress.of(folder.resolve("admin.sock")))) {
            return client.exchange(
                    method
                            + " "
                            + path
                            + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                            + "Content-Length: "
                            + content.length()
                            + "\r\n\r\n"
                            + content);
        }
    }

    /// Returns the field Connection of an answer; empty without it.
    private static String keepAlive(ServerProcess server) {
        try (RawClient client = RawClient.connect(server.socketAddress())) {
            return client.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").fields().stream()
                    .filter(field -> field.name().equalsIgnoreCase("Connection"))
                    .map(RawResponse.Field::value)
                    .findFirst()
                    .orElse("");
        }
    }

    private static boolean hasEnded(ServerProcess server) {
        try {
            server.signal("TERM");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return !server.isAlive();
    }
}
