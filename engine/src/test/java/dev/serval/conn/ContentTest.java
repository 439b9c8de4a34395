package dev.serval.conn;

import static dev.serval.conn.Answers.GET;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Source;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.memory.MemoryPeer;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Checks request content: the promises of [Source], and content that no handler reads.
final class ContentTest {
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";
    private final List<String> seen = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "'Content-Length: 5\r\n\r\nhello', 5",
        "'Transfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n', 5",
        "'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 0",
        "'Content-Length: 0\r\n\r\n', 0",
        "'\r\n', 0"
    })
    void readsContentToItsEndAtAnyCut(String rest, int bytes) {
        for (int piece = 1; piece < 200; piece = piece * 3 + 1) {
            seen.clear();
            try (MemoryServer server = MemoryServer.of(Answers.counting(seen))) {
                MemoryPeer client = server.connect();
                client.pieces(piece);
                client.send(POST + rest + POST + rest + GET);
                server.run();
                assertThat(seen).containsExactly("END " + bytes, "END " + bytes, "END 0");
                assertThat(Answers.parse(client.takeText())).hasSize(3);
                assertThat(client.isClosed()).isFalse();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'Content-Length: 5\r\n\r\nhello', true",
        "'Content-Length: 5\r\n\r\nhell', false",
        "'Content-Length: 0\r\n\r\n', true",
        "'\r\n', true",
        "'Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n', false"
    })
    void tellsWhetherAllOfItHasArrived(String rest, boolean whole) {
        List<Boolean> told = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    told.add(x.content().isWhole());
                    int n = x.content().read(ByteBuffer.allocate(2));
                    told.add(n >= 0 && x.content().isWhole());
                    Answers.say(x, "");
                })) {
            MemoryPeer client = server.connect();
            server.ask(client, POST + rest);
            boolean some = rest.endsWith("hello");
            assertThat(told).containsExactly(whole, some);
        }
    }

    @Test
    void readMovesOnlyWhatFits() {
        List<Integer> reads = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    reads.add(x.content().read(ByteBuffer.allocate(0)));
                    reads.add(x.content().read(ByteBuffer.allocate(2)));
                    reads.add(x.content().read(ByteBuffer.allocateDirect(9)));
                    reads.add(x.content().read(ByteBuffer.allocate(9)));
                    reads.add(x.content().read(ByteBuffer.allocate(9)));
                    Answers.say(x, "");
                })) {
            MemoryPeer client = server.connect();
            server.ask(client, POST + "Content-Length: 5\r\n\r\nhello");
            assertThat(reads).containsExactly(0, 2, 3, Source.END, Source.END);
        }
    }

    @Test
    void trailersFollowTheContent() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    seen.add(x.content().trailers().size() + " before");
                    while (x.content().read(ByteBuffer.allocate(100)) > 0) {}
                    seen.add(x.content().trailers().toString().strip());
                    Answers.say(x, "");
                })) {
            MemoryPeer client = server.connect();
            String chunks = "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX-Sum: 7\r\n\r\n";
            server.ask(client, POST + chunks + GET);
            assertThat(seen).containsExactly("0 before", "X-Sum: 7", "0 before", "");
        }
    }

    @Test
    void onReadableRunsOnceWhenContentIsAvailable() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.content().onReadable(() -> seen.add("readable"));
                    held.add(x);
                })) {
            MemoryPeer client = server.connect();
            server.ask(client, POST + "Content-Length: 6\r\n\r\n");
            assertThat(seen).isEmpty();
            client.send("abc");
            server.run();
            client.send("def");
            server.run();
            assertThat(seen).containsExactly("readable");

            held.getFirst().content().onReadable(() -> seen.add("again"));
            assertThat(seen).as("not within the call").hasSize(1);
            server.run();
            assertThat(seen).containsExactly("readable", "again");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientThatLeavesEarlyFailsTheContent(boolean reset) {
        try (MemoryServer server = MemoryServer.of(Answers.counting(seen))) {
            MemoryPeer client = server.connect();
            server.ask(client, POST + "Content-Length: 6\r\n\r\nabc");
            if (reset) {
                client.reset();
            } else {
                client.end();
            }
            server.run();
            assertThat(seen).containsExactly("FAILED 3");
            assertThat(server.admission().exchanges()).isZero();
            if (!reset) {
                assertThat(client.takeText()).startsWith("HTTP/1.1 400 ");
            }
            assertThat(client.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"3\nabc\r\n", "3\r\nabcd\r\n", "-1\r\n", "x\r\n", "10000000000000000\r\n"})
    void brokenFramingFailsTheContentAndEndsTheConnection(String chunks) {
        try (MemoryServer server = MemoryServer.of(Answers.counting(seen))) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, POST + "Transfer-Encoding: chunked\r\n\r\n")).isEmpty();
            String answers = server.ask(client, chunks + GET);
            assertThat(Answers.parse(answers)).hasSize(1);
            assertThat(answers)
                    .containsPattern("^HTTP/1.1 4(00|13) ")
                    .contains("Connection: close");
            assertThat(seen).singleElement().asString().startsWith("FAILED");
            assertThat(server.count(Counter.PROTOCOL_ERRORS)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "3\nabc\r\n",
                "3\r\nabcd\r\n",
                "-1\r\n",
                "10000000000000000\r\n",
                "3\r\nabc\r\n0\r\nA : b\r\n\r\n"
            })
    void brokenFramingThatArrivesWithItsHeadIsRefusedBeforeTheHandler(String chunks) {
        try (MemoryServer server = MemoryServer.of(Answers.counting(seen))) {
            MemoryPeer client = server.connect();
            String answers =
                    server.ask(client, POST + "Transfer-Encoding: chunked\r\n\r\n" + chunks + GET);
            assertThat(Answers.parse(answers)).hasSize(1);
            assertThat(answers)
                    .containsPattern("^HTTP/1.1 4(00|13) ")
                    .contains("Connection: close");
            assertThat(seen).isEmpty();
            assertThat(server.count(Counter.PROTOCOL_ERRORS)).isEqualTo(1);
        }
    }

    /// A handler that does not read answers before the fault can be found. No bytes after it may be
    /// read as a request.
    @ParameterizedTest
    @ValueSource(
            strings = {"3\nabc\r\n", "3\r\nabcd\r\n", "-1\r\n", "x\r\n", "10000000000000000\r\n"})
    void nothingAfterUnreadBrokenFramingIsAnswered(String chunks) {
        for (boolean atOnce : new boolean[] {true, false}) {
            try (MemoryServer server = MemoryServer.of(Answers.greeting())) {
                MemoryPeer client = server.connect();
                String head = POST + "Transfer-Encoding: chunked\r\n\r\n";
                String answers =
                        atOnce
                                ? server.ask(client, head + chunks + GET + GET)
                                : server.ask(client, head)
                                        + server.ask(client, chunks)
                                        + server.ask(client, GET + GET);
                assertThat(Answers.parse(answers)).hasSize(1);
                assertThat(client.sawEnd()).isTrue();
                assertThat(server.count(Counter.REQUESTS)).isEqualTo(1);
                assertThat(server.count(Counter.PROTOCOL_ERRORS)).isEqualTo(1);
                server.pass(Duration.ofSeconds(3));
                assertThat(client.isClosed()).isTrue();
                assertThat(client.length()).isZero();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "10, 'Content-Length: 10\r\n\r\n0123456789', 200",
        "10, 'Content-Length: 11\r\n\r\n0123456789a', 413",
        "10, 'Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n', 200",
        "10, 'Transfer-Encoding: chunked\r\n\r\nb\r\n0123456789a\r\n0\r\n\r\n', 413",
        "10, 'Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n1\r\na\r\n0\r\n\r\n', 413"
    })
    void contentAboveTheLimitIsRefused(long most, String rest, int status) {
        Limits limits = Limits.DEFAULT.with(draft -> draft.content.maxBytes = most);
        try (MemoryServer server = MemoryServer.of(Answers.counting(seen), limits)) {
            MemoryPeer client = server.connect();
            List<Answers.Answer> answers = Answers.parse(server.ask(client, POST + rest + GET));
            assertThat(answers.getFirst().status()).isEqualTo(status);
            assertThat(answers.getFirst().has("Connection: close")).isEqualTo(status == 413);
            assertThat(answers).hasSize(status == 413 ? 1 : 2);
        }
    }

    // Expect: 100-continue (RFC 9110 §10.1.1)

    @Test
    void continueIsSentAtTheFirstRead() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = MemoryServer.of(held::add)) {
            MemoryPeer client = server.connect();
            String head = POST + "Content-Length: 3\r\nExpect: 100-continue\r\n\r\n";
            assertThat(server.ask(client, head)).isEmpty();
            Answers.counting(seen).handle(held.getFirst());
            server.run();
            assertThat(client.takeText()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            client.send("abc");
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ").endsWith("3 bytes");
            assertThat(client.isClosed()).isFalse();
            assertThat(server.count(Counter.RESPONSES_1XX)).isEqualTo(1);
        }
    }

    @Test
    void waitingForContentSendsContinue() {
        try (MemoryServer server =
                MemoryServer.of(
                        x -> x.content().onReadable(() -> Answers.counting(seen).handle(x)))) {
            MemoryPeer client = server.connect();
            String head = POST + "Content-Length: 3\r\nExpect: 100-continue\r\n\r\n";
            assertThat(server.ask(client, head)).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            assertThat(server.ask(client, "abc")).endsWith("3 bytes");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc'",
        "'HTTP/1.0\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\nabc'",
        "'HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n'",
        "'HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc'"
    })
    void continueIsNotSentIfTheClientDoesNotWait(String rest) {
        try (MemoryServer server = MemoryServer.of(Answers.counting(seen))) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, "POST / " + rest)).startsWith("HTTP/1.1 200 ");
        }
    }

    static Handler ignoring() {
        return Answers.greeting();
    }

    static Handler discarding() {
        return x -> {
            x.content().discard(Long.MAX_VALUE);
            Answers.say(x, "hello");
        };
    }

    /// The client may next send its content or its next request; the server cannot distinguish
    /// them.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void expectedContentThatWasNotRequestedEndsTheConnection(boolean discards) {
        Handler handler = discards ? discarding() : ignoring();
        try (MemoryServer server = MemoryServer.of(handler)) {
            MemoryPeer client = server.connect();
            String head = POST + "Content-Length: 3\r\nExpect: 100-continue\r\n\r\n";
            String answer = server.ask(client, head);
            assertThat(answer).startsWith("HTTP/1.1 200 ").contains("\r\nConnection: close\r\n");
            assertThat(server.ask(client, GET)).isEmpty();
            assertThat(client.sawEnd()).isTrue();
        }
    }

    // Unread content

    @Test
    void unreadContentWithinTheBoundIsDroppedAndTheConnectionStays() {
        int bound = (int) Limits.Contents.DEFAULT.discardMaxBytes();
        for (int length : new int[] {1, 1000, bound}) {
            try (MemoryServer server = MemoryServer.of(ignoring())) {
                MemoryPeer client = server.connect();
                client.send(POST + "Content-Length: " + length + "\r\n\r\n");
                server.run();
                assertThat(client.takeText()).startsWith("HTTP/1.1 200 ").doesNotContain("close");
                client.send(new byte[length]);
                assertThat(server.ask(client, GET)).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void unreadContentAboveTheBoundEndsTheConnection() {
        long length = Limits.Contents.DEFAULT.discardMaxBytes() + 1;
        try (MemoryServer server = MemoryServer.of(ignoring())) {
            MemoryPeer client = server.connect();
            client.send(POST + "Content-Length: " + length + "\r\n\r\n");
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ").contains("Connection: close");
            client.send(new byte[100_000]);
            server.run();
            assertThat(client.sawReset()).isFalse();
            assertThat(server.ask(client, GET)).isEmpty();
        }
    }

    @Test
    void unreadChunksAreDroppedUpToTheBound() {
        byte[] chunk = Answers.bytes("10000\r\n" + "x".repeat(65_536) + "\r\n");
        try (MemoryServer server = MemoryServer.of(ignoring())) {
            MemoryPeer client = server.connect();
            client.send(POST + "Transfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 4; i++) {
                client.send(chunk);
            }
            server.ask(client, "0\r\n\r\n");
            assertThat(server.ask(client, GET)).startsWith("HTTP/1.1 200 ");

            client.send(POST + "Transfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 5; i++) {
                client.send(chunk);
            }
            server.ask(client, "0\r\n\r\n");
            assertThat(server.ask(client, GET)).isEmpty();
            assertThat(client.sawEnd()).isTrue();
            assertThat(client.sawReset()).isFalse();
        }
    }

    @Test
    void handlerMayLowerTheDiscardBound() {
        try (MemoryServer server =
                MemoryServer.of(x -> {
                    x.content().discard(10);
                    Answers.say(x, "");
                })) {
            MemoryPeer client = server.connect();
            assertThat(server.ask(client, POST + "Content-Length: 10\r\n\r\n0123456789"))
                    .doesNotContain("close");
            assertThat(server.ask(client, POST + "Content-Length: 11\r\n\r\n0123456789a"))
                    .contains("Connection: close");
        }
    }

    @Test
    void contentBeforeTheNextRequestIsNotARequest() {
        try (MemoryServer server = MemoryServer.of(Answers.target())) {
            MemoryPeer client = server.connect();
            String content = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n";
            client.send(POST + "Content-Length: " + content.length() + "\r\n\r\n" + content + GET);
            server.run();
            assertThat(Answers.parse(client.takeText()))
                    .extracting(Answers.Answer::content)
                    .containsExactly("/", "/");
        }
    }

    // Back-pressure

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 1000, 65_536, 1 << 20})
    void echoesInOrderAtAnyWindow(int window) {
        byte[] content = new byte[Math.min(1 << 20, 20_000 + 20 * window)];
        new Random(window).nextBytes(content);
        try (MemoryServer server = MemoryServer.of(Answers.echo())) {
            MemoryPeer client = server.connect();
            client.window(window);
            client.send(POST + "Content-Length: " + content.length + "\r\n\r\n");
            client.send(content);
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < 100_000 && server.log().isEmpty(); i++) {
                server.turn();
                all.append(client.takeText());
                client.window(window);
            }
            client.window(Long.MAX_VALUE);
            server.run();
            String echoed = Answers.parse(all + client.takeText()).getFirst().content();
            assertThat(Answers.bytes(echoed)).isEqualTo(content);
        }
    }

    @Test
    void echoesWithoutEndInBoundedMemory() {
        byte[] piece = new byte[1 << 20];
        try (MemoryServer server = MemoryServer.of(Answers.echo(), wide())) {
            MemoryPeer client = server.connect();
            client.send(POST + "Content-Length: " + 64L * piece.length + "\r\n\r\n");
            long received = 0;
            for (int sent = 0; sent < 64; sent++) {
                client.send(piece);
                while (client.unread() > 0) {
                    client.window(100_000);
                    server.turn();
                    received += client.length();
                    client.clear();
                    assertThat(server.net().pool().lent()).isLessThan(20);
                }
            }
            client.window(Long.MAX_VALUE);
            server.run();
            received += client.length();
            assertThat(received).isGreaterThan(64L * piece.length);
            assertThat(server.log()).containsExactly("POST / 200 " + 64L * piece.length);
        }
    }

    @Test
    void stopsReadingIfTheClientReadsNothing() {
        try (MemoryServer server = MemoryServer.of(Answers.echo())) {
            MemoryPeer client = server.connect();
            client.window(0);
            client.send(POST + "Content-Length: 5000000\r\n\r\n");
            client.send(new byte[5_000_000]);
            server.run();
            assertThat(client.unread()).isGreaterThan(4_500_000);
        }
    }

    private static Limits wide() {
        return Limits.DEFAULT.with(draft -> draft.content.maxBytes = 1L << 30);
    }

    @Test
    void contentReadDuringTheResponseKeepsTheConnection() {
        try (MemoryServer server = MemoryServer.of(Answers.echo())) {
            MemoryPeer client = server.connect();
            client.send(POST + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
            server.run();
            assertThat(client.text()).contains("hello").doesNotContain("close");
            server.ask(client, "0\r\n\r\n");
            assertThat(server.ask(client, GET)).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void emptyBodyIsAResponse() {
        ResponseHead head =
                new ResponseHead(Status.OK, Fields.of(FieldName.CONTENT_TYPE, "text/plain"), 0);
        try (MemoryServer server =
                MemoryServer.of(x -> x.response().send(head, Body.Empty.EMPTY))) {
            MemoryPeer client = server.connect();
            List<Answers.Answer> answers = Answers.parse(server.ask(client, GET + GET));
            assertThat(answers).hasSize(2).allMatch(a -> a.has("Content-Length: 0"));
        }
    }

    /// The process was stopped, and the client's system has all content meanwhile.
    @Test
    void contentThatHasComeIsNotLate() {
        try (MemoryServer server = MemoryServer.of(Answers.counting(new ArrayList<>()))) {
            MemoryPeer client = server.connect();
            server.ask(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n");
            client.send("hello");
            server.advance(Duration.ofMinutes(1).toNanos());
            server.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 200 ").endsWith("5 bytes");
            assertThat(server.count(Counter.SLOW_CONTENT)).isZero();
        }
    }
}
