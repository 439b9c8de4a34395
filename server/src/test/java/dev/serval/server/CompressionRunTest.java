package dev.serval.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.testkit.Await;
import dev.serval.testkit.RawClient;
import dev.serval.testkit.RawResponse;
import dev.serval.testkit.ScriptedPeer;
import dev.serval.testkit.ScriptedPeer.Step;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What a server process compresses, by its configuration.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@Timeout(180)
final class CompressionRunTest {
    private static final String TEXT = "to be or not to be; ".repeat(1_000);
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");

    @TempDir Path folder;

    private static RawResponse get(ServerProcess server, String path) {
        try (RawClient client = RawClient.connect(server.socketAddress())) {
            return client.exchange(
                    "GET "
                            + path
                            + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n");
        }
    }

    private static String gunzip(RawResponse response) throws IOException {
        assertThat(response.field("Content-Encoding")).isEqualTo("gzip");
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            return new String(in.readAllBytes(), ISO_8859_1);
        }
    }

    private static Step answer(String fields, String content) {
        return Step.Send.of(
                "HTTP/1.1 200 OK\r\nContent-Length: "
                        + content.length()
                        + "\r\n"
                        + fields
                        + "\r\n"
                        + content);
    }

    @Test
    void compressesFilesAndAnswers() throws Exception {
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("a.css"), TEXT);
        Files.writeString(site.resolve("a.css.br"), "as if in brotli");
        Files.setLastModifiedTime(
                site.resolve("a.css"), FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
        Files.writeString(site.resolve("b.css"), TEXT);
        try (ScriptedPeer peer =
                ScriptedPeer.playing(
                        List.of(
                                List.of(
                                        HEAD,
                                        answer("Content-Type: text/plain\r\n", TEXT),
                                        HEAD,
                                        answer(
                                                "Content-Type: text/plain\r\n"
                                                        + "Cache-Control: no-transform\r\n",
                                                TEXT),
                                        new Step.ReadToClose())))) {
            String proxy = "proxy = 'http://127.0.0.1:" + peer.address().getPort() + "'\n";
            Files.writeString(
                    folder.resolve("serval.toml"),
                    "applications.logs = 'none'\nlistener = [{ address = '0' }]\n"
                            + "[[mount]]\nfolder = 'site'\n"
                            + "[[mount]]\nat = '/off'\nfolder = 'site'\ncompression.mode = 'off'\n"
                            + "[[mount]]\nat = '/api'\n"
                            + proxy
                            + "compression.mode = 'all'\nupstream.connections = 1\n");
            try (ServerProcess server =
                    ServerProcess.start(
                            Map.of("XDG_RUNTIME_DIR", folder.toString()),
                            List.of("run", "--config", folder.resolve("serval.toml").toString()))) {
                server.awaitLine("Ctrl-C stops it.");
                Await.until(
                        "the compressed file has rested",
                        () -> "br".equals(get(server, "/a.css").field("Content-Encoding")));
                assertThat(get(server, "/a.css").text()).isEqualTo("as if in brotli");
                Await.until(
                        "the other was compressed",
                        () -> get(server, "/b.css").field("Content-Encoding") != null);
                assertThat(gunzip(get(server, "/b.css"))).isEqualTo(TEXT);
                RawResponse off = get(server, "/off/a.css");
                assertThat(off.field("Vary")).isNull();
                assertThat(off.text()).isEqualTo(TEXT);
                assertThat(gunzip(get(server, "/api/x"))).isEqualTo(TEXT);
                RawResponse forbidden = get(server, "/api/y");
                assertThat(forbidden.field("Content-Encoding")).isNull();
                assertThat(forbidden.text()).isEqualTo(TEXT);
            }
        }
    }
}
