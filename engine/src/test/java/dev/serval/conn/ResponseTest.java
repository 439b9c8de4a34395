package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks the promises of [Sink]: framing, order, and an end that the client can distinguish from a
/// break.
final class ResponseTest {
    private static final long UNKNOWN = ResponseHead.UNKNOWN_LENGTH;
    private final List<String> seen = new ArrayList<>();

    private static ResponseHead ok(long length) {
        return new ResponseHead(Status.OK, Fields.EMPTY, length);
    }

    private Body piece(String text) {
        return new Body.Bytes(ByteBuffer.wrap(Answers.bytes(text)), () -> seen.add(text));
    }

    // Framing (RFC 9112 §6.3)

    @Test
    void contentOfUnknownLengthIsChunked() {
        try (MemoryServer server = MemoryServer.of(this::twoPieces)) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET))
                    .endsWith("\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
                    .contains("\r\nTransfer-Encoding: chunked\r\n");
            assertThat(seen).containsExactly("abc", "de");
            assertThat(client.isClosed()).isFalse();
        }
    }

    @Test
    void contentOfUnknownLengthEndsWithTheConnectionInHttp10() {
        try (MemoryServer server = MemoryServer.of(this::twoPieces)) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"))
                    .endsWith("\r\n\r\nabcde")
                    .contains("\r\nConnection: close\r\n")
                    .doesNotContain("Content-Length", "Transfer-Encoding");
            assertThat(client.sawEnd()).isTrue();
        }
    }

    private void twoPieces(Exchange x) {
        x.response().head(ok(UNKNOWN));
        x.response().write(piece("abc"));
        x.response().write(Body.Empty.EMPTY);
        x.response().write(piece("de"));
        x.response().end(Fields.EMPTY);
    }

    @ParameterizedTest
    @CsvSource({
        "HEAD, 200, 5",
        "HEAD, 200, -1",
        "GET, 204, -1",
        "GET, 205, 5",
        "GET, 205, -1",
        "GET, 304, 5",
        "GET, 304, -1"
    })
    void forbiddenContentIsDroppedAndNotLogged(String method, int status, long length) {
        ResponseHead head = new ResponseHead(Status.of(status), Fields.EMPTY, length);
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.response().head(head);
                    x.response().write(piece("hello"));
                    x.response().end(Fields.of(FieldName.ETAG, "\"x\""));
                })) {
            MemoryPeer client = server.connect();
            String request = method + " / HTTP/1.1\r\nHost: a\r\n\r\n";
            String answer = server.ask(client, request);
            assertThat(answer).startsWith("HTTP/1.1 " + status).endsWith("\r\n\r\n");
            assertThat(answer.indexOf("\r\n\r\n")).isEqualTo(answer.length() - 4);
            assertThat(seen).containsExactly("hello");
            assertThat(answer.contains("\r\nContent-Length: 0\r\n")).isEqualTo(status == 205);
            assertThat(server.ask(client, request)).isEqualTo(answer);
            assertThat(server.log()).containsOnly(method + " / " + status + " 0");
        }
    }

    @Test
    void answerToHeadNeedsNoContentDespiteItsLength() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.response().head(ok(5));
                    x.response().end(Fields.EMPTY);
                })) {
            MemoryPeer client = server.connect();
            for (int i = 0; i < 2; i++) {
                assertThat(server.ask(client, "HEAD / HTTP/1.1\r\nHost: a\r\n\r\n"))
                        .startsWith("HTTP/1.1 200 ")
                        .contains("\r\nContent-Length: 5\r\n")
                        .doesNotContain("Connection: close")
                        .endsWith("\r\n\r\n");
            }
            assertThat(server.count(Counter.HANDLER_FAULTS)).isZero();
        }
    }

    @Test
    void interimFinalAndTrailersAreSentInOrder() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    Fields link = Fields.of(FieldName.LINK, "</a.css>; rel=preload");
                    x.response().inform(Status.EARLY_HINTS, link);
                    x.response().inform(Status.EARLY_HINTS, Fields.EMPTY);
                    x.response().head(ok(UNKNOWN));
                    x.response().write(piece("x"));
                    x.response().end(new Fields().add("X-Sum", "7"));
                })) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET))
                    .isEqualTo(
                            """
                            HTTP/1.1 103 Early Hints\r
                            Link: </a.css>; rel=preload\r
                            \r
                            HTTP/1.1 103 Early Hints\r
                            \r
                            HTTP/1.1 200 OK\r
                            Transfer-Encoding: chunked\r
                            Date: Thu, 01 Jan 2026 00:00:00 GMT\r
                            \r
                            1\r
                            x\r
                            0\r
                            X-Sum: 7\r
                            \r
                            """);
            assertThat(server.count(Counter.RESPONSES_1XX)).isEqualTo(2);
            assertThat(server.ask(client, "GET / HTTP/1.0\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContain("103", "X-Sum");
        }
    }

    // Order of calls

    @Test
    void callsOutOfOrderAreFaultsOfTheHandler() {
        List<Handler> wrong =
                List.of(
                        x -> x.response().write(piece("x")),
                        x -> x.response().end(Fields.EMPTY),
                        x -> x.response().head(new ResponseHead(Status.of(103), Fields.EMPTY, 0)),
                        x -> x.response().inform(Status.OK, Fields.EMPTY),
                        x -> x.response().inform(Status.SWITCHING_PROTOCOLS, Fields.EMPTY));
        for (Handler handler : wrong) {
            try (MemoryServer server = MemoryServer.of(handler)) {
                assertThat(server.ask(server.connect(), GET))
                        .startsWith("HTTP/1.1 500 ")
                        .contains("Connection: close")
                        .doesNotContain("Exception");
                assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
            }
        }
    }

    @Test
    void secondHeadBreaksTheResponse() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.response().head(ok(5));
                    x.response().head(ok(5));
                })) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            assertThat(client.sawReset()).isTrue();
        }
    }

    @Test
    void contentAfterTheEndIsReleasedUnsent() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.response().send(ok(2), piece("ok"));
                    x.response().head(ok(2));
                    x.response().write(piece("late"));
                    x.response().inform(Status.EARLY_HINTS, Fields.EMPTY);
                    x.response().end(Fields.EMPTY);
                    x.response().abort(Fault.APPLICATION);
                })) {
            MemoryPeer client = server.connect();
            assertThat(Answers.parse(server.ask(client, GET + GET))).hasSize(2);
            assertThat(seen).containsExactly("ok", "late", "ok", "late");
        }
    }

    // Content-Length (RFC 9110 §8.6)

    @Test
    void responseShorterThanItsLengthEndsTheConnection() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.response().head(ok(5));
                    x.response().write(piece("abc"));
                    x.response().end(Fields.EMPTY);
                })) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET + GET)).endsWith("\r\n\r\nabc");
            assertThat(client.sawEnd()).isTrue();
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"abcdefgh", "abcde|f", "abc|defgh", "abcde|f|g"})
    void responseLongerThanItsLengthIsCutAndEndsTheConnection(String pieces) {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.onAbort(() -> seen.add("aborted"));
                    x.response().head(ok(5));
                    for (String text : pieces.split("\\|", -1)) {
                        x.response().write(piece(text));
                    }
                    x.response().end(Fields.EMPTY);
                })) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET + GET)).endsWith("\r\n\r\nabcde");
            assertThat(client.sawEnd()).isTrue();
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(1);
            assertThat(seen).containsOnlyOnce("aborted").containsAll(List.of(pieces.split("\\|")));
        }
    }

    // Faults of the handler

    @Test
    void exceptionBeforeTheHeadIsAnswered500() {
        try (MemoryServer server =
                MemoryServer.of(_ -> {
                    throw new IllegalStateException("meant: secret <detail>");
                })) {
            MemoryPeer client = server.connect();
            String answer = server.ask(client, GET + GET);
            assertThat(Answers.parse(answer)).hasSize(1);
            assertThat(answer)
                    .startsWith("HTTP/1.1 500 ")
                    .contains("\r\nConnection: close\r\n")
                    .doesNotContain("secret", "IllegalState", "Serval");
            assertThat(server.count(Counter.HANDLER_FAULTS)).isEqualTo(1);
            assertThat(server.count(Counter.RESPONSES_5XX)).isEqualTo(1);
        }
    }

    @Test
    void exceptionAfterTheHeadBreaksTheConnection() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.response().head(ok(UNKNOWN));
                    x.response().write(piece("abc"));
                    throw new IllegalStateException("meant: a handler that fails");
                })) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, GET)).doesNotContain("\r\n0\r\n");
            assertThat(client.sawReset()).isTrue();
            assertThat(seen).containsExactly("abc");
        }
    }

    @Test
    void refusalAfterTheHeadBreaksTheConnection() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.response().head(ok(3));
                    x.refuse(Status.NOT_FOUND, Fields.EMPTY, "");
                })) {
            MemoryPeer client = server.connect();
            server.ask(client, GET);
            assertThat(client.sawReset()).isTrue();
        }
    }

    @Test
    void errorPagesAreEscaped() {
        try (MemoryServer server =
                MemoryServer.of(
                        x -> x.refuse(Status.NOT_FOUND, Fields.EMPTY, "<script>\"&'</script>"))) {
            String answer = server.ask(server.connect(), GET + GET);
            assertThat(Answers.parse(answer)).hasSize(2);
            assertThat(answer)
                    .contains("&lt;script&gt;&quot;&amp;&#39;&lt;/script&gt;")
                    .contains("Content-Type: text/html; charset=utf-8")
                    .doesNotContain("<script>", "Connection: close");
        }
    }

    // Room

    @Test
    void onWritableRunsOnceWhenThereIsRoom() {
        List<Exchange> held = new ArrayList<>();
        byte[] large = new byte[100_000];
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    held.add(x);
                    x.response().head(ok(UNKNOWN));
                    x.response().onWritable(() -> seen.add("at once"));
                    assertThat(x.response().write(Body.Bytes.of(large))).isNegative();
                    x.response().onWritable(() -> seen.add("writable"));
                })) {
            MemoryPeer client = server.connect();
            client.window(1000);
            client.send(GET);
            server.run();
            assertThat(seen).containsExactly("at once");
            client.window(50_000);
            server.run();
            assertThat(seen).containsExactly("at once");
            client.window(Long.MAX_VALUE);
            server.run();
            assertThat(seen).containsExactly("at once", "writable");
            held.getFirst().response().end(Fields.EMPTY);
            server.run();
            assertThat(Answers.parse(client.takeText()).getFirst().content()).hasSize(100_000);
        }
    }

    /// A client that reads everything at once must not occupy the loop.
    @Test
    void endlessWriterLetsOthersHaveTheirTurn() {
        byte[] piece = new byte[16_000];
        int[] written = new int[1];
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.response().head(ok(UNKNOWN));
                    Runnable[] proceed = new Runnable[1];
                    proceed[0] =
                            () -> {
                                long room = 1;
                                while (room > 0 && written[0] < 2000) {
                                    written[0]++;
                                    room = x.response().write(Body.Bytes.of(piece));
                                }
                                if (written[0] < 2000) {
                                    x.response().onWritable(proceed[0]);
                                } else {
                                    x.response().end(Fields.EMPTY);
                                }
                            };
                    proceed[0].run();
                })) {
            MemoryPeer client = server.connect();
            client.send(GET);
            server.turn();
            assertThat(written[0]).isLessThan(200);
            server.run();
            assertThat(written[0]).isEqualTo(2000);
            assertThat(client.length()).isGreaterThan(30_000_000);
        }
    }

    @Test
    void sendsWholeFiles(@TempDir Path folder) throws IOException {
        byte[] content = new byte[3_000_000];
        new Random(1).nextBytes(content);
        Path file = Files.write(folder.resolve("f"), content);
        try (FileChannel channel = FileChannel.open(file);
                MemoryServer server =
                        MemoryServer.of(x ->
                                x.response()
                                        .send(
                                                ok(content.length),
                                                new Body.FileRegion(
                                                        channel,
                                                        0,
                                                        content.length,
                                                        () -> seen.add("free"))))) {
            MemoryPeer client = server.connect();
            client.send(GET + GET);
            server.run();
            List<Answers.Answer> answers = Answers.parse(client.takeText());
            assertThat(answers).hasSize(2);
            assertThat(Answers.bytes(answers.getLast().content())).isEqualTo(content);
            assertThat(seen).containsExactly("free", "free");
        }
    }
}
