package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.Folder;
import dev.serval.testkit.Digests;
import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// Runs real clients against a whole server. If a client is not installed, its tests are skipped
/// with the name of its Debian package.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InteropTest {
    private final TempTree tree = TempTree.create();
    private final TempTree scratch = TempTree.create();
    private final UnixDomainSocketAddress unix = UnixDomainSocketAddress.of(scratch.path("socket"));
    private final Path large = tree.file("large.bin", 3_000_000);
    private final Served server =
            Served.with(b ->
                    b.listen(unix)
                            .mount("/", Folder.of(tree.root()))
                            .mount("/echo", Answers::echo)
                            .mount("/chunked", Answers::unknownLength));

    @BeforeAll
    void files() {
        tree.file("small.txt", "0123456789");
    }

    @AfterAll
    void stop() {
        server.close();
        tree.close();
        scratch.close();
    }

    @Test
    void curlGetsAFile() {
        Path into = scratch.path("got");
        assertThat(Programs.curl("-o", into.toString(), url("/large.bin")).exit()).isZero();
        assertThat(Digests.sha256(into)).isEqualTo(Digests.sha256(large));
    }

    @Test
    void curlGetsOnlyTheHead() {
        assertThat(Programs.curl("-I", url("/small.txt")).out())
                .startsWith("HTTP/1.1 200 OK\r\n")
                .contains("Content-Length: 10\r\n");
    }

    @Test
    void curlResumesADownload() {
        Path into = scratch.file("part", TempTree.content("large.bin", 3_000_000));
        truncate(into, 1_234_567);
        assertThat(Programs.curl("-C", "-", "-o", into.toString(), url("/large.bin")).exit())
                .isZero();
        assertThat(Digests.sha256(into)).isEqualTo(Digests.sha256(large));
    }

    @Test
    void curlGetsSeveralRanges() {
        assertThat(Programs.curl("-r", "0-1,8-9", url("/small.txt")).out())
                .contains("Content-Range: bytes 0-1/10", "Content-Range: bytes 8-9/10");
    }

    @Test
    void curlGets304ForItsEtag() {
        Path etag = scratch.path("etag");
        assertThat(Programs.curl("--etag-save", etag.toString(), url("/small.txt")).exit())
                .isZero();
        assertThat(
                        Programs.curl(
                                        "--etag-compare",
                                        etag.toString(),
                                        "-w",
                                        "%{http_code}",
                                        url("/small.txt"))
                                .out())
                .isEqualTo("304");
    }

    @Test
    void curlPostsWithAndWithoutAnExpectation() {
        String content = "x".repeat(2_000_000);
        Path from = scratch.file("post", content);
        String at = "@" + from;
        assertThat(Programs.curl("--data-binary", at, url("/echo")).out()).isEqualTo(content);
        assertThat(Programs.curl("-H", "Expect:", "--data-binary", at, url("/echo")).out())
                .isEqualTo(content);
        assertThat(
                        Programs.curl(
                                        "-H",
                                        "Transfer-Encoding: chunked",
                                        "--data-binary",
                                        at,
                                        url("/echo"))
                                .out())
                .isEqualTo(content);
    }

    @Test
    void curlUsesHttp10() {
        assertThat(Programs.curl("-0", url("/small.txt")).out()).isEqualTo("0123456789");
        assertThat(Programs.curl("-0", url("/chunked")).out()).isEqualTo("first,second");
    }

    @Test
    void curlReadsChunksAndTrailers() {
        assertThat(Programs.curl(url("/chunked")).out()).isEqualTo("first,second");
    }

    @Test
    void curlReusesItsConnection() {
        assertThat(
                        Programs.curl(
                                        "-o",
                                        "/dev/null",
                                        "-o",
                                        "/dev/null",
                                        "-w",
                                        "%{num_connects}",
                                        url("/small.txt"),
                                        url("/large.bin"))
                                .out())
                .isEqualTo("10");
    }

    @Test
    void curlUsesAUnixDomainSocket() {
        assertThat(
                        Programs.curl(
                                        "--unix-socket",
                                        unix.getPath().toString(),
                                        "http://example.test/small.txt")
                                .out())
                .isEqualTo("0123456789");
    }

    @Test
    void wrkSeesNoErrors() {
        String out =
                Programs.run(
                                "wrk",
                                "wrk",
                                "-t1",
                                "-c32",
                                "-d1s",
                                "--timeout",
                                "30s",
                                "--latency",
                                url("/small.txt"))
                        .out();
        assertThat(out)
                .contains("requests in")
                .doesNotContain("Socket errors")
                .doesNotContain("Non-2xx");
    }

    @Test
    void abSeesNoErrorsWithAndWithoutKeepAlive() {
        for (String kept : List.of("-k", "-d")) {
            String out =
                    Programs.run(
                                    "ab",
                                    "apache2-utils",
                                    "-q",
                                    kept,
                                    "-n",
                                    "2000",
                                    "-c",
                                    "16",
                                    url("/small.txt"))
                            .out();
            assertThat(out)
                    .contains("Document Length:        10 bytes", "Complete requests:      2000")
                    .containsPattern("Failed requests: +0\n")
                    .doesNotContain("Non-2xx");
        }
    }

    @Test
    void h2loadSeesNoErrorsWithPipelining() {
        String out =
                Programs.run(
                                "h2load",
                                "nghttp2-client",
                                "--h1",
                                "-n",
                                "5000",
                                "-c",
                                "8",
                                "-m",
                                "16",
                                url("/small.txt"))
                        .out();
        assertThat(out).contains("5000 succeeded, 0 failed, 0 errored, 0 timeout");
    }

    @Test
    void curlUsesHttp2() {
        String content = "x".repeat(2_000_000);
        String at = "@" + scratch.file("post2", content);
        Path into = scratch.path("got2");
        assertThat(http2("-o", into.toString(), url("/large.bin")).exit()).isZero();
        assertThat(Digests.sha256(into)).isEqualTo(Digests.sha256(large));
        assertThat(http2("--data-binary", at, url("/echo")).out()).isEqualTo(content);
        assertThat(http2("-H", "Expect: 100-continue", "--data-binary", at, url("/echo")).out())
                .isEqualTo(content);
        assertThat(http2(url("/chunked")).out()).isEqualTo("first,second");
        assertThat(http2("-I", url("/small.txt")).out())
                .startsWith("HTTP/2 200")
                .contains("content-length: 10\r\n");
    }

    @Test
    void nghttpGetsSeveralFilesAtOnce() {
        String out =
                Programs.run(
                                "nghttp",
                                "nghttp2-client",
                                "-n",
                                "-s",
                                url("/small.txt"),
                                url("/large.bin"),
                                url("/chunked"))
                        .out();
        assertThat(out.lines().filter(line -> line.contains(" 200 "))).hasSize(3);
    }

    @Test
    void h2loadSeesNoErrorsWithStreams() {
        for (String streams : List.of("1", "100")) {
            String out =
                    Programs.run(
                                    "h2load",
                                    "nghttp2-client",
                                    "-n",
                                    "5000",
                                    "-c",
                                    "8",
                                    "-m",
                                    streams,
                                    url("/small.txt"))
                            .out();
            assertThat(out).contains("5000 succeeded, 0 failed, 0 errored, 0 timeout");
        }
    }

    private static Programs.Run http2(String... arguments) {
        List<String> all = new ArrayList<>(List.of("--http2-prior-knowledge"));
        all.addAll(List.of(arguments));
        return Programs.curl(all.toArray(String[]::new));
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private static void truncate(Path file, long bytes) {
        try (var channel = Files.newByteChannel(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
