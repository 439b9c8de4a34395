package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.serval.Folder;
import dev.serval.testkit.Digests;
import dev.serval.testkit.TempTree;
import dev.serval.testkit.TestKeys;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs clients of HTTP/2 that send many requests at once on one connection. [InteropTest] and
/// [TlsInteropTest] run clients that send few.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class Http2ClientsTest {
    private static final TestKeys KEYS = TestKeys.local();
    private static final byte[] POSTED =
            "0123456789".repeat(20_000).getBytes(StandardCharsets.US_ASCII);
    private static final int IMAGES = 200;
    private static final Pattern SEEN = Pattern.compile("<title>([^<]*)</title>");

    private final TempTree tree = TempTree.create();
    private final Path large = tree.file("large.bin", 300_000);
    private final Served server =
            Served.with(b ->
                    b.listen(Served.tls())
                            .mount("/", Folder.of(tree.root()))
                            .mount("/echo", Answers::echo));

    @AfterAll
    void stop() {
        server.close();
        tree.close();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nettyGetsAndPostsOnManyStreams(boolean tls) throws IOException {
        List<CompletableFuture<byte[]>> files = new ArrayList<>();
        List<CompletableFuture<byte[]>> echoes = new ArrayList<>();
        try (NettyClient client = new NettyClient(server.port(tls), tls ? KEYS : null)) {
            for (int i = 0; i < 40; i++) {
                files.add(client.ask("/large.bin", new byte[0]));
                echoes.add(client.ask("/echo", POSTED));
            }
            assertThat(digests(files)).containsOnly(Digests.sha256(large));
            assertThat(digests(echoes)).containsOnly(Digests.sha256(POSTED));
        }
    }

    @Test
    void httpClientOfTheJdkGetsAndPostsOnManyStreams() throws IOException, InterruptedException {
        HttpRequest get = HttpRequest.newBuilder(URI.create(url(true, "/large.bin"))).build();
        HttpRequest post =
                HttpRequest.newBuilder(URI.create(url(true, "/echo")))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(POSTED))
                        .build();
        List<CompletableFuture<byte[]>> files = new ArrayList<>();
        List<CompletableFuture<byte[]>> echoes = new ArrayList<>();
        try (HttpClient client = HttpClient.newBuilder().sslContext(KEYS.trusting()).build()) {
            // The first request connects, and the others find its connection.
            client.send(get, HttpResponse.BodyHandlers.discarding());
            for (int i = 0; i < 40; i++) {
                files.add(askedByHttp2(client, get));
                echoes.add(askedByHttp2(client, post));
            }
            assertThat(digests(files)).containsOnly(Digests.sha256(large));
            assertThat(digests(echoes)).containsOnly(Digests.sha256(POSTED));
        }
    }

    private static CompletableFuture<byte[]> askedByHttp2(HttpClient client, HttpRequest request) {
        return client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
                .thenApply(answer -> {
                    assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_2);
                    assertThat(answer.statusCode()).isEqualTo(200);
                    return answer.body();
                });
    }

    private static List<String> digests(List<CompletableFuture<byte[]>> answers) {
        return answers.stream().map(answer -> Digests.sha256(answer.join())).toList();
    }

    /// It has no prior knowledge: without TLS it asks for an upgrade.
    @Test
    void httpClientOfTheJdkUsesHttp11WhereItsUpgradeIsIgnored()
            throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest get = HttpRequest.newBuilder(URI.create(url(false, "/large.bin"))).build();
            HttpResponse<byte[]> answer = client.send(get, HttpResponse.BodyHandlers.ofByteArray());
            assertThat(answer.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
            assertThat(Digests.sha256(answer.body())).isEqualTo(Digests.sha256(large));
        }
    }

    /// [InteropTest] runs them without TLS.
    @Test
    void clientsOfNghttp2GetOnManyStreams() {
        String asked = url(true, "/large.bin");
        String out = Programs.run("nghttp", "nghttp2-client", "-n", "-s", "-m20", asked).out();
        assertThat(out.lines().filter(line -> line.contains(" 200 "))).hasSize(20);
        out = Programs.run("h2load", "nghttp2-client", "-n100", "-c2", "-m50", asked).out();
        assertThat(out)
                .contains("Application protocol: h2\n")
                .contains("100 succeeded, 0 failed, 0 errored, 0 timeout");
    }

    @Tag("long")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void goGetsAndPostsOnManyStreams(boolean tls) {
        try (TempTree folder = TempTree.create()) {
            Path source = folder.file("client.go", resource("client.go.txt"));
            Programs.Run run =
                    Programs.run(
                            "go",
                            "golang-go",
                            "run",
                            source.toString(),
                            tls ? KEYS.certificate().toString() : "-",
                            url(tls, "/large.bin"),
                            "300000",
                            url(tls, "/echo"));
            assumeFalse(run.out().startsWith("needs "), run.out());
            assertThat(run.out()).isEqualTo("ok");
        }
    }

    /// The browser asks for all images of a page at once.
    @Tag("long")
    @Test
    void chromiumShowsAPageWithManyImages() throws IOException {
        StringBuilder page = new StringBuilder("<!DOCTYPE html><title>loading</title>");
        for (int i = 0; i < IMAGES; i++) {
            tree.file("images/" + i + ".svg", image(i));
            page.append("<img src=images/").append(i).append(".svg width=40 height=40>\n");
        }
        page.append(resource("images.html"));
        tree.file("images.html", page.toString());
        Path picture = Path.of("target/images.png").toAbsolutePath();
        Files.deleteIfExists(picture); // that of an earlier run
        try (TempTree folder = TempTree.create()) {
            Programs.Run run =
                    Programs.run(
                            "chromium",
                            "chromium",
                            "--headless=new",
                            "--no-sandbox",
                            "--disable-dev-shm-usage",
                            "--disable-gpu",
                            "--ignore-certificate-errors",
                            "--user-data-dir=" + folder.root(),
                            "--screenshot=" + picture,
                            "--virtual-time-budget=30000",
                            "--dump-dom",
                            url(true, "/images.html"));
            Matcher seen = SEEN.matcher(run.out());
            assertThat(seen.find()).as(run.out()).isTrue();
            assertThat(seen.group(1)).isEqualTo(IMAGES + " shown, " + IMAGES + " by h2");
            assertThat(picture).as(run.out()).isNotEmptyFile();
        }
    }

    private static String image(int number) {
        return "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><rect width='40'"
                + " height='40' fill='hsl("
                + number
                + ",70%,60%)'/><text x='4' y='26'>"
                + number
                + "</text></svg>";
    }

    private String url(boolean tls, String path) {
        return (tls ? "https" : "http") + "://localhost:" + server.port(tls) + path;
    }

    private static String resource(String name) {
        try (InputStream in = Http2ClientsTest.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalArgumentException("there is no " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
