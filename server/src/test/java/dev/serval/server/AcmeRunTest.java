package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.FreePort;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TlsClient;
import dev.serval.testkit.acme.Pebble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server process that gets its certificates from a real authority, as a user configures it.
@Timeout(180)
final class AcmeRunTest {
    private static final String PASSWORD = "correct-horse-staple";

    private final Path folder;
    private final int http = FreePort.find();
    private final int https = FreePort.find();
    private final int admin = FreePort.find();

    AcmeRunTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @BeforeEach
    void needsPebble() {
        assumeThat(Pebble.isInstalled()).as(Pebble.NEEDED).isTrue();
    }

    private Path configuration(Pebble authority) throws IOException {
        Files.writeString(folder.resolve("admin.password"), PASSWORD);
        Files.createDirectories(folder.resolve("site"));
        Files.writeString(folder.resolve("site/index.html"), "here");
        return Files.writeString(
                folder.resolve("serval.toml"),
                """
                [server]
                state = "state"
                [admin]
                listen = "127.0.0.1:%d"
                password-file = "admin.password"
                [acme]
                terms-agreed = true
                directory = "%s"
                authorities = "%s"
                [[listener]]
                address = "127.0.0.1:%d"
                https-redirect = %d
                [[listener]]
                address = "127.0.0.1:%d"
                tls.certificate = "auto"
                tls.hsts = "30d"
                [[host]]
                name = "a.test"
                tls = "auto"
                [[host.mount]]
                at = "/"
                folder = "site"
                """
                        .formatted(
                                admin,
                                authority.directory(),
                                authority.authorities(),
                                http,
                                https,
                                https));
    }

    /// The authority comes by the listener that redirects everything else.
    @Test
    void servesWithACertificateOfTheAuthority() throws Exception {
        try (Pebble authority = Pebble.start(folder, http, https, false)) {
            Path file = configuration(authority);
            try (ServerProcess server = ServerProcess.ready("run", "--config", file.toString())) {
                Await.until("the certificate", () -> metrics().contains("result=\"issued\"} 1"));
                TlsClient tls = TlsClient.named(authority.trusting(), "a.test");
                try (RawClient client = RawClient.connect(local(https), tls)) {
                    RawResponse answer = client.exchange("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
                    assertThat(answer.text()).isEqualTo("here");
                    assertThat(answer.field("Strict-Transport-Security"))
                            .isEqualTo("max-age=2592000");
                }
                assertThat(RawClient.get(local(http), "/").status()).isEqualTo(308);
                assertThat(metrics())
                        .contains("serval_certificate_not_after_seconds{host=\"a.test\"} ")
                        .contains("serval_certificate_failures{host=\"a.test\"} 0");
                assertThat(status(file)).contains("a.test").contains("served");
                assertThat(server.isAlive()).isTrue();
            }
        }
    }

    @Test
    void reloadBringsNewHosts() throws Exception {
        try (Pebble authority = Pebble.start(folder, http, https, false)) {
            Path file = configuration(authority);
            try (ServerProcess server = ServerProcess.ready("run", "--config", file.toString())) {
                Await.until("the certificate", () -> metrics().contains("result=\"issued\"} 1"));
                Files.writeString(
                        file,
                        Files.readString(file)
                                .replace("name = \"a.test\"", "name = [\"a.test\", \"b.test\"]"));
                assertThat(printed("reload", file)).contains("The configuration is in force.");
                Await.until(
                        "the certificate of the new host",
                        () ->
                                metrics(server, file)
                                        .contains(
                                                "serval_certificate_orders_total{host=\"b.test\",result=\"issued\"} 1"));
                assertThat(server.isAlive()).isTrue();
            }
        }
    }

    @Test
    void redirectsAndTellsTheReasonWhileTheAuthorityIsDown() throws Exception {
        try (Pebble authority = Pebble.start(folder, http, https, false)) {
            Path file = configuration(authority);
            authority.stop();
            ServerProcess server = ServerProcess.ready("run", "--config", file.toString());
            try (server) {
                Await.until("the failure", () -> metrics().contains("result=\"failed\"} 1"));
                assertThat(RawClient.get(local(http), "/").status()).isEqualTo(308);
                assertThat(status(file))
                        .contains("no certificate yet")
                        .contains("failed 1 times in a row")
                        .contains("cannot be reached");
                assertThat(server.isAlive()).isTrue();
            }
            assertThat(server.errors()).contains("The next attempt is at");
        }
    }

    /// Returns the metrics, or says what the server does if it does not answer.
    private String metrics(ServerProcess server, Path file) {
        try {
            return metrics();
        } catch (AssertionError e) {
            try {
                throw new AssertionError(status(file) + "\n" + server.errors(), e);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw e;
            }
        }
    }

    private String metrics() {
        try (RawClient client = RawClient.connect(local(admin))) {
            return client.exchange(
                            "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: Basic "
                                    + Base64.getEncoder()
                                            .encodeToString(
                                                    ("admin:" + PASSWORD)
                                                            .getBytes(StandardCharsets.US_ASCII))
                                    + "\r\n\r\n")
                    .text();
        }
    }

    private static String status(Path file) throws InterruptedException {
        return printed("status", file);
    }

    private static String printed(String name, Path file) throws InterruptedException {
        try (ServerProcess command =
                ServerProcess.start(List.of(name, "--config", file.toString()))) {
            List<String> lines = command.rest();
            assertThat(command.exitCode()).isZero();
            return String.join("\n", lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
