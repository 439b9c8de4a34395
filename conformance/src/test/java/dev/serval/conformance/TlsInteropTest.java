package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Folder;
import dev.serval.testkit.Digests;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs real clients with TLS against a whole server.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsInteropTest {
    private static final TestKeys KEYS = TestKeys.local();

    private final TempTree tree = TempTree.create();
    private final TempTree scratch = TempTree.create();
    private final Path large = tree.file("large.bin", 3_000_000);
    private final Served server =
            Served.bare(b ->
                    b.listen(Served.tls())
                            .mount("/", Folder.of(tree.root()))
                            .mount("/echo", Answers::echo));

    @AfterAll
    void stop() {
        server.close();
        tree.close();
        scratch.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void httpClientOfTheJdkGetsAndPosts(HttpClient.Version version)
            throws IOException, InterruptedException {
        HttpClient.Builder builder = HttpClient.newBuilder().version(version);
        try (HttpClient client = builder.sslContext(KEYS.trusting()).build()) {
            HttpResponse<byte[]> file =
                    client.send(
                            request("/large.bin").build(), HttpResponse.BodyHandlers.ofByteArray());
            assertThat(file.body()).isEqualTo(Files.readAllBytes(large));
            assertThat(file.version()).isEqualTo(version);
            String content = "x".repeat(60_000);
            HttpRequest post =
                    request("/echo").POST(HttpRequest.BodyPublishers.ofString(content)).build();
            assertThat(client.send(post, HttpResponse.BodyHandlers.ofString()).body())
                    .isEqualTo(content);
        }
    }

    @ParameterizedTest
    @CsvSource({"1.2,1.1", "1.2,2", "1.3,1.1", "1.3,2"})
    void curlGetsAFileByEachVersion(String version, String http) {
        Path into = scratch.path("got" + version + "-" + http);
        Programs.Run run =
                Programs.curl(
                        "--cacert",
                        KEYS.certificate().toString(),
                        "--tls-max",
                        version,
                        "--http" + http,
                        "-w",
                        "%{http_version}",
                        "-o",
                        into.toString(),
                        url("/large.bin"));
        assertThat(run.exit()).as(run.out()).isZero();
        assertThat(run.out()).isEqualTo(http);
        assertThat(Digests.sha256(into)).isEqualTo(Digests.sha256(large));
    }

    @Test
    void curlReusesItsConnection() {
        assertThat(
                        Programs.curl(
                                        "--cacert",
                                        KEYS.certificate().toString(),
                                        "-o",
                                        "/dev/null",
                                        "-o",
                                        "/dev/null",
                                        "-w",
                                        "%{num_connects}",
                                        url("/large.bin"),
                                        url("/large.bin"))
                                .out())
                .isEqualTo("10");
    }

    private String url(String path) {
        return "https://localhost:" + server.port() + path;
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url(path)));
    }
}
