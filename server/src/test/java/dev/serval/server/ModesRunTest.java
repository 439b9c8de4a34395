package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.site.TestArchive;
import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.TestKeys;
import dev.serval.testkit.mode.Mode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One server process, with a listener with TLS and one without, over each kind of connection: files, an
/// application and the access log.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
final class ModesRunTest {
    private static final TestKeys KEYS = TestKeys.local();

    private static final String SERVLET =
            """
            @jakarta.servlet.annotation.WebServlet("/hello")
            public class Hello extends jakarta.servlet.http.HttpServlet {
                protected void doPost(jakarta.servlet.http.HttpServletRequest request,
                        jakarta.servlet.http.HttpServletResponse response)
                        throws java.io.IOException {
                    request.getSession();
                    response.getWriter().print(request.getProtocol() + " " + request.getScheme()
                            + " " + request.isSecure() + " " + request.getParameter("name"));
                }
            }
            """;

    private Path folder;
    private ServerProcess server;

    @BeforeAll
    void start(@TempDir Path temporary) throws IOException {
        folder = temporary;
        TestArchive.write(folder, "shop.war", "<web-app/>", SERVLET);
        Files.writeString(
                Files.createDirectory(folder.resolve("site")).resolve("large.txt"),
                "0123456789".repeat(30_000));
        Path file =
                Files.writeString(
                        folder.resolve("serval.toml"),
                        """
                        [[listener]]
                        address = "0"
                        [[listener]]
                        address = "127.0.0.2:0"
                        tls.certificate = "%s"
                        tls.key = "%s"
                        [[log]]
                        file = "access.log"
                        pattern = "%%r %%s"
                        [[mount]]
                        folder = "site"
                        [[mount]]
                        at = "/shop"
                        app = "shop.war"
                        """
                                .formatted(KEYS.certificate(), KEYS.key()));
        server = ServerProcess.ready("run", "--config", file.toString());
    }

    @AfterAll
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void servesFilesAndApplicationsAndLogsThem(Mode mode) {
        try (RawClient client = connect(mode)) {
            String host = " HTTP/1.1\r\nHost: localhost\r\n";
            RawResponse file = client.exchange("GET /large.txt?" + mode + host + "\r\n");
            assertThat(file.body()).hasSize(300_000);
            RawResponse page =
                    client.exchange(
                            "POST /shop/hello"
                                    + host
                                    + "Content-Type: application/x-www-form-urlencoded\r\n"
                                    + "Content-Length: 6\r\n\r\nname=a");
            assertThat(page.text())
                    .isEqualTo(mode.protocol() + " " + mode.scheme() + " " + mode.isTls() + " a");
            assertThat(page.all("Set-Cookie"))
                    .singleElement()
                    .satisfies(cookie ->
                            assertThat(cookie.contains("; Secure")).isEqualTo(mode.isTls()));
            assertThat(client.exchange("GET /shop/WEB-INF/web.xml" + host + "\r\n").status())
                    .isEqualTo(404);
        }
        Await.until(
                "the access log has the request",
                () -> log().contains("GET /large.txt?" + mode + " " + mode.protocol() + " 200\n"));
    }

    private RawClient connect(Mode mode) {
        String line =
                server.readyLines().stream()
                        .filter(each -> each.startsWith(mode.scheme() + "://"))
                        .findFirst()
                        .orElseThrow();
        URI uri = URI.create(line.substring(0, line.indexOf(' ')));
        InetSocketAddress address = new InetSocketAddress(uri.getHost(), uri.getPort());
        return RawClient.connect(address, mode);
    }

    private String log() {
        try {
            return Files.readString(folder.resolve("access.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
