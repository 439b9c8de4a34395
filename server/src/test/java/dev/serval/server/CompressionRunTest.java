package dev.serval.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.lrwp.peer.LrwpPeer;
import dev.serval.lrwp.peer.LrwpResponse;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a server process compresses, by its configuration.
@SuppressWarnings("StringConcatToTextBlock") // lines end with CRLF
@Timeout(180)
final class CompressionRunTest {
    private static final String TEXT = "to be or not to be; ".repeat(1_000);
    private static final Step.ReadUntil HEAD = new Step.ReadUntil("\r\n\r\n");

    /// In the order in which [#assertCompresses] asks for them.
    private static final List<Answer> ANSWERS =
            List.of(
                    Answer.ok("ETag: \"x\""),
                    Answer.ok("ETag: \"x\""),
                    Answer.ok("ETag: \"x\"", "Cache-Control: no-transform"),
                    Answer.ok("ETag: \"x\"", "Content-Encoding: br"),
                    Answer.ok("ETag: \"x\""),
                    new Answer(304, "ETag: \"x\"", ""));

    @TempDir Path folder;

    /// An answer of an application.
    ///
    /// @param fields lines of the head, besides status and type
    /// @param content none for 304
    private record Answer(int status, String fields, String content) {
        static Answer ok(String... fields) {
            return new Answer(200, String.join("\n", fields), TEXT);
        }

        String output() {
            String type = content.isEmpty() ? "" : "Content-Type: text/plain\n";
            return "Status: " + status + "\n" + type + fields + "\n\n" + content;
        }

        LrwpResponse response() {
            LrwpResponse answer =
                    content.isEmpty() ? LrwpResponse.empty(status) : LrwpResponse.text(content);
            for (String line : fields.lines().toList()) {
                String[] parts = line.split(": ", 2);
                answer = answer.with(parts[0], parts[1]);
            }
            return answer;
        }
    }

    private static RawResponse get(ServerProcess server, String path) {
        return ask(server, "GET", path);
    }

    private static RawResponse ask(ServerProcess server, String method, String path) {
        String fields = " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip, deflate, br\r\n\r\n";
        try (RawClient client = RawClient.connect(server.socketAddress())) {
            return client.send(method + " " + path + fields).answer(method);
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

    private ServerProcess started(String mounts) throws IOException {
        Files.writeString(
                folder.resolve("serval.toml"),
                "applications.logs = 'none'\nlistener = [{ address = '0' }]\n" + mounts);
        ServerProcess server =
                ServerProcess.start(
                        Map.of("XDG_RUNTIME_DIR", folder.toString()),
                        List.of("run", "--config", folder.resolve("serval.toml").toString()));
        server.awaitLine("Ctrl-C stops it.");
        return server;
    }

    @Test
    void applicationHasTheCompressionOfItsPlaceOrTheUsualOneAlsoIfDeployed() throws Exception {
        Path app = folder.resolve("app");
        Files.createDirectories(app.resolve("WEB-INF"));
        for (String name : List.of("a.css", "a.css.br")) {
            Files.writeString(app.resolve(name), name.endsWith(".br") ? "as if in brotli" : TEXT);
            Files.setLastModifiedTime(
                    app.resolve(name), FileTime.from(Instant.parse("2026-01-01T00:00:00Z")));
        }
        try (ServerProcess server =
                started(
                        "compression.mode = 'off'\n[[mount]]\nat = '/own'\napp = 'app'\n"
                                + "compression.mode = 'files'\n"
                                + "[[mount]]\nat = '/start'\napp = 'app'\n")) {
            assertThat(get(server, "/start/a.css").field("Content-Encoding")).isNull();
            for (String place : List.of("/own", "/new")) {
                try (ServerProcess deploy =
                        ServerProcess.start(
                                Map.of("XDG_RUNTIME_DIR", folder.toString()),
                                List.of("deploy", place + "=" + app))) {
                    assertThat(deploy.exitCode()).isZero();
                }
            }
            Await.until(
                    "the compressed file has rested",
                    () -> "br".equals(get(server, "/own/a.css").field("Content-Encoding")));
            assertThat(get(server, "/own/a.css").text()).isEqualTo("as if in brotli");
            RawResponse plain = get(server, "/new/a.css");
            assertThat(plain.field("Content-Encoding")).isNull();
            assertThat(plain.text()).isEqualTo(TEXT);
        }
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
            try (ServerProcess server =
                    started(
                            "[[mount]]\nfolder = 'site'\n"
                                    + "[[mount]]\nat = '/off'\nfolder = 'site'\ncompression.mode = 'off'\n"
                                    + "[[mount]]\nat = '/api'\n"
                                    + proxy
                                    + "compression.mode = 'all'\nupstream.connections = 1\n")) {
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

    private static void assertCompresses(ServerProcess server, String path) throws IOException {
        RawResponse coded = get(server, path);
        assertThat(gunzip(coded)).isEqualTo(TEXT);
        assertThat(coded.field("ETag")).isEqualTo("W/\"x\"");
        assertThat(coded.all("Vary")).containsExactly("Accept-Encoding");

        RawResponse plain = RawClient.get(server.socketAddress(), path);
        assertThat(plain.field("Content-Encoding")).isNull();
        assertThat(plain.field("ETag")).isEqualTo("\"x\"");
        assertThat(plain.all("Vary")).containsExactly("Accept-Encoding");
        assertThat(plain.text()).isEqualTo(TEXT);

        RawResponse forbidden = get(server, path);
        assertThat(forbidden.field("Content-Encoding")).isNull();
        assertThat(forbidden.field("ETag")).isEqualTo("\"x\"");
        assertThat(forbidden.text()).isEqualTo(TEXT);

        RawResponse brotli = get(server, path);
        assertThat(brotli.all("Content-Encoding")).containsExactly("br");
        assertThat(brotli.text()).isEqualTo(TEXT);

        RawResponse head = ask(server, "HEAD", path);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.field("Content-Encoding")).isEqualTo("gzip");
        assertThat(head.field("Content-Length")).isNull();
        assertThat(head.field("ETag")).isEqualTo("W/\"x\"");
        assertThat(head.body()).isEmpty();

        RawResponse same = get(server, path);
        assertThat(same.status()).isEqualTo(304);
        assertThat(same.field("ETag")).isEqualTo("W/\"x\"");
        assertThat(same.field("Vary")).isEqualTo("Accept-Encoding");
        assertThat(same.field("Content-Encoding")).isNull();
        assertThat(same.body()).isEmpty();
    }

    @Test
    void compressesAnswersOfFastcgiAndScgi() throws Exception {
        String[] outputs = ANSWERS.stream().map(Answer::output).toArray(String[]::new);
        try (ScriptedPeer fastcgi = CgiScripts.fastcgi(outputs);
                ScriptedPeer scgi = CgiScripts.scgi(outputs);
                ServerProcess server =
                        started(
                                "compression.mode = 'all'\n[[mount]]\nat = '/fast'\nfastcgi = '127.0.0.1:"
                                        + fastcgi.address().getPort()
                                        + "'\n[[mount]]\nat = '/scgi'\nscgi = '127.0.0.1:"
                                        + scgi.address().getPort()
                                        + "'\n")) {
            assertCompresses(server, "/fast");
            assertCompresses(server, "/scgi");
        }
    }

    /// In front of a mount; with a mount elsewhere; and without any.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[[mount]]\nfolder = 'site'\ncompression.mode = 'all'\n",
                "compression.mode = 'all'\n[[mount]]\nat = '/b'\nfolder = 'site'\n",
                "compression.mode = 'all'\n"
            })
    void compressesAnswersOfApplicationsThatDialIn(String mounts) throws Exception {
        Files.createDirectories(folder.resolve("site"));
        Queue<Answer> answers = new ConcurrentLinkedQueue<>(ANSWERS);
        try (ServerProcess server = started("lrwp.listen = '0'\n" + mounts);
                LrwpPeer peer =
                        LrwpPeer.builder()
                                .agent("127.0.0.1", server.lrwpAddress().getPort())
                                .register("app")
                                .handler(_ -> answers.remove().response())
                                .start()) {
            assertThat(peer.awaitConnected(Duration.ofSeconds(60))).isTrue();
            assertCompresses(server, "/app");
        }
    }
}
