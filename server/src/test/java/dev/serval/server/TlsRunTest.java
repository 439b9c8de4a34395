package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.TlsClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A server process with TLS, as a user starts it.
@Timeout(120)
final class TlsRunTest {
    private static final TestKeys KEYS = TestKeys.local();

    @TempDir Path folder;

    @Test
    void servesByAnOption() throws IOException {
        Files.writeString(folder.resolve("index.html"), "here");
        try (ServerProcess server =
                ServerProcess.ready(
                        "run",
                        "--port",
                        "0",
                        "--tls",
                        KEYS.certificate() + "," + KEYS.key(),
                        folder.toString())) {
            assertThat(server.readyLines())
                    .singleElement()
                    .asString()
                    .startsWith("https://127.0.0.1:");
            assertThat(get(server).text()).isEqualTo("here");
            assertThat(server.get("/").status()).as("plain HTTP").isEqualTo(400);
        }
    }

    /// The first commands of the manual, in one folder.
    @Test
    void servesWithTheCertificateOfCertDev() throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "here");
        try (ServerProcess made = ServerProcess.start(Map.of(), folder, List.of("cert", "dev"))) {
            assertThat(made.exitCode()).isZero();
        }
        List<String> run = List.of("run", "--port", "0", "--tls", "cert.pem,key.pem", "./site");
        try (ServerProcess server = ServerProcess.start(Map.of(), folder, run)) {
            server.awaitLine("Ctrl-C stops it.");
            try (InputStream certificate = Files.newInputStream(folder.resolve("cert.pem"));
                    RawClient client =
                            RawClient.connect(
                                    server.socketAddress(),
                                    TlsClient.of(TestKeys.trusting(certificate)))) {
                assertThat(client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").text())
                        .isEqualTo("here");
            }
        }
    }

    @Test
    void servesByAConfiguration() throws IOException {
        Files.writeString(folder.resolve("index.html"), "here");
        Path file =
                Files.writeString(
                        folder.resolve("serval.toml"),
                        """
                        [[listener]]
                        address = "0"
                        tls.certificate = "%s"
                        tls.key = "%s"
                        tls.profile = "modern"
                        [[mount]]
                        at = "/"
                        folder = "."
                        """
                                .formatted(KEYS.certificate(), KEYS.key()));
        try (ServerProcess server = ServerProcess.ready("run", "--config", file.toString())) {
            assertThat(get(server).text()).isEqualTo("here");
        }
    }

    /// Without a reload, the first connection after a change still gets what was there before.
    @Test
    void reloadHasTheNextConnectionGetTheNewCertificate() throws Exception {
        TestKeys next = TestKeys.make("EC", "dns:localhost");
        ServalUser user = new ServalUser(folder);
        use(KEYS);
        Files.writeString(
                user.file(),
                """
                [[listener]]
                address = "0"
                tls.certificate = "cert.pem"
                tls.key = "key.pem"
                [[mount]]
                folder = "."
                """);
        try (ServerProcess server = user.starts()) {
            assertThat(get(server).status()).isEqualTo(404);
            use(next);
            ServalUser.Printed reload = user.types("reload");
            assertThat(reload.err()).isEmpty();
            assertThat(reload.out())
                    .contains("New connections use the changed certificates.")
                    .doesNotContain("Nothing has changed.");
            try (RawClient client =
                    RawClient.connect(server.socketAddress(), TlsClient.of(next.trusting()))) {
                assertThat(client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n").status())
                        .isEqualTo(404);
            }
            assertThat(user.types("reload").out()).contains("Nothing has changed.");
        }
    }

    private void use(TestKeys keys) throws IOException {
        Files.copy(
                keys.certificate(),
                folder.resolve("cert.pem"),
                StandardCopyOption.REPLACE_EXISTING);
        Files.copy(keys.key(), folder.resolve("key.pem"), StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void redirectsPlainHttp() throws IOException {
        Path file =
                Files.writeString(
                        folder.resolve("serval.toml"),
                        """
                        [[listener]]
                        address = "0"
                        https-redirect = 443
                        [[mount]]
                        at = "/"
                        folder = "."
                        """);
        try (ServerProcess server = ServerProcess.ready("run", "--config", file.toString());
                RawClient client = RawClient.connect(server.socketAddress())) {
            RawResponse answer =
                    client.exchange("GET /a%20b?c=d HTTP/1.1\r\nHost: a.test:8080\r\n\r\n");
            assertThat(answer.status()).isEqualTo(308);
            assertThat(answer.field("Location")).isEqualTo("https://a.test/a%20b?c=d");
            assertThat(
                            client.exchange("PATCH / HTTP/1.1\r\nHost: a.test\r\n\r\n")
                                    .field("Location"))
                    .isEqualTo("https://a.test/");
        }
    }

    @Test
    void refusesAKeyOfAnotherCertificate() throws Exception {
        TestKeys other = TestKeys.make("EC", "dns:other.test");
        try (ServerProcess server =
                ServerProcess.start(
                        List.of(
                                "run",
                                "--port",
                                "0",
                                "--tls",
                                KEYS.certificate() + "," + other.key()))) {
            assertThat(server.errors())
                    .contains(
                            "The key in " + other.key() + " does not belong to the certificate in");
        }
    }

    private static RawResponse get(ServerProcess server) {
        try (RawClient client =
                RawClient.connect(server.socketAddress(), TlsClient.of(KEYS.trusting()))) {
            return client.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        }
    }
}
