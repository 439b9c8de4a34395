package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.handler.Sink;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks which waits count against the pace of an HTTP/2 client, and when its streams continue.
final class Http2PaceTest {
    private static final String NO_WINDOW = "000400000000";
    private static final int PIECE_BYTES = 10_000;
    private static final int RATE = 300; // bytes a second: a little more than the limit

    private static MemoryServer server(Handler handler, Limits limits) {
        return MemoryServer.of(handler, limits, new Http(Leniency.defaults()));
    }

    private static MemoryServer server(Handler handler) {
        return server(handler, Limits.DEFAULT);
    }

    private static Http2Peer peer(MemoryServer server) {
        Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
        peer.read();
        return peer;
    }

    private static void open(Http2Peer peer, int stream, int bytes) {
        peer.frame(Http2Peer.WINDOW_UPDATE, 0, stream, "%08x".formatted(bytes));
    }

    /// The grace of each response begins anew, though the streams are the same object.
    @Test
    void paceOfAStreamIsNotThatOfTheOneBefore() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
            for (int stream = 1; stream <= 7; stream += 2) {
                peer.get(stream, "/");
                peer.read();
                server.pass(Duration.ofSeconds(4));
                open(peer, stream, 5);
                assertThat(peer.answers()).isEqualTo("DATA %d 5 end hello\n".formatted(stream));
            }
            assertThat(server.count(Counter.SLOW_READERS)).isZero();
        }
    }

    /// The handler waits for content at first, and does not read on.
    @Test
    void clientIsNotLateWhileNoHandlerWaitsForContent() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).post(1, "/", "");
            peer.read();
            server.pass(Duration.ofSeconds(1));
            peer.data(1, "a", false);
            peer.read();
            server.pass(Duration.ofSeconds(50));
            assertThat(peer.answers()).isEmpty();
            assertThat(server.count(Counter.SLOW_CONTENT)).isZero();
        }
    }

    /// A client may send the contents of its requests one after the other.
    @Test
    void contentIsNotLateWhileOtherStreamsOfItsClientKeepThePace() {
        try (MemoryServer server = server(Answers.counting(new ArrayList<>()))) {
            Http2Peer peer = peer(server).post(1, "/", "").post(3, "/", "");
            String more = "x".repeat(2 * RATE);
            assertThat(eachSecond(server, peer, () -> peer.data(1, more, false))).isEmpty();
            peer.data(3, "abc", true);
            assertThat(peer.answers()).endsWith("DATA 3 7 end 3 bytes\n");
            assertThat(server.count(Counter.SLOW_CONTENT)).isZero();
            server.pass(Duration.ofSeconds(33));
            assertThat(peer.answers()).startsWith("HEADERS 1 :status=408");
            assertThat(server.count(Counter.SLOW_CONTENT)).isEqualTo(1);
        }
    }

    /// Two streams must have twice the rate of one.
    @Test
    void contentIsLateIfAllStreamsTogetherDoNotKeepThePace() {
        try (MemoryServer server = server(Answers.counting(new ArrayList<>()))) {
            Http2Peer peer = peer(server).post(1, "/", "").post(3, "/", "");
            String more = "x".repeat(RATE);
            assertThat(eachSecond(server, peer, () -> peer.data(1, more, false)))
                    .startsWith("HEADERS 3 :status=408")
                    .doesNotContain("HEADERS 1 ");
            assertThat(server.count(Counter.SLOW_CONTENT)).isEqualTo(1);
        }
    }

    /// Content that a handler does not read fills the window of the connection.
    @Test
    void contentIsNotLateWhileTheClientMaySendNone() {
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.http2.streamWindowBytes = 65_535;
                    draft.http2.connectionWindowBytes = 65_535;
                });
        List<Exchange> held = new ArrayList<>();
        Handler reading = Answers.counting(new ArrayList<>());
        Handler handler =
                x -> {
                    boolean holds = x.request().target().path().text().equals("/held");
                    (holds ? Answers.holding(held) : reading).handle(x);
                };
        try (MemoryServer server = server(handler, limits)) {
            Http2Peer peer = peer(server).post(1, "/held", "").post(3, "/", "");
            for (int left = 65_535; left > 0; left -= 13_107) {
                peer.data(1, "x".repeat(13_107), false);
            }
            peer.read();
            server.pass(Duration.ofSeconds(50));
            assertThat(peer.answers()).isEmpty();
            held.getFirst().content().discard(Long.MAX_VALUE);
            server.pass(Duration.ofSeconds(4));
            assertThat(peer.read()).contains("WINDOW_UPDATE 0 ").doesNotContain("HEADERS");
            peer.data(3, "abc", true);
            assertThat(peer.answers()).endsWith("DATA 3 7 end 3 bytes\n");
        }
    }

    /// A client may take its responses one after the other.
    @Test
    void readerIsNotLateWhileOtherStreamsKeepThePace() {
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(60_000)))) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
            open(peer, 0, 1 << 20);
            peer.get(1, "/").get(3, "/");
            assertThat(eachSecond(server, peer, () -> open(peer, 1, 2 * RATE)))
                    .contains("DATA 1 600 ")
                    .doesNotContain("RST_STREAM");
            assertThat(server.count(Counter.SLOW_READERS)).isZero();
        }
    }

    @Test
    void readerIsLateIfAllStreamsTogetherDoNotKeepThePace() {
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(60_000)))) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
            open(peer, 0, 1 << 20);
            peer.get(1, "/").get(3, "/");
            assertThat(eachSecond(server, peer, () -> open(peer, 1, RATE)))
                    .contains("RST_STREAM 3 CANCEL")
                    .doesNotContain("RST_STREAM 1 ");
            assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(1);
        }
    }

    /// Acts each second, for 40 s.
    ///
    /// @return the frames that arrived
    private static String eachSecond(MemoryServer server, Http2Peer peer, Runnable act) {
        StringBuilder frames = new StringBuilder();
        for (int second = 0; second < 40; second++) {
            act.run();
            frames.append(peer.answers());
            server.pass(Duration.ofSeconds(1));
        }
        return frames.toString();
    }

    /// The socket is full, too, so that the whole connection waits between.
    @ParameterizedTest(name = "window of {0}")
    @CsvSource({"the connection, 000400100000", "the stream, 00040000ffff"})
    void windowThatIsNeverOpenedEndsTheStream(String which, String setting) {
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(70_000)))) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, setting);
            if (which.equals("the stream")) {
                open(peer, 0, 1 << 20);
            }
            peer.get(1, "/");
            assertThat(peer.answers()).contains("DATA 1 16383 ");
            server.pass(Duration.ofSeconds(31));
            assertThat(peer.answers()).isEqualTo("RST_STREAM 1 CANCEL\n");
            assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(1);
        }
    }

    /// The client takes what waits in its socket as slowly as it may, and cannot open the stream's window
    /// before.
    @Test
    void streamIsNotLateWhileTheConnectionWaits() {
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(200_000)))) {
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = new Http2Peer(wire).begin();
            peer.read();
            peer.frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
            open(peer, 0, 1 << 20);
            peer.get(1, "/").get(3, "/");
            open(peer, 3, 1 << 20);
            server.run();
            assertThat(wire.peer().length()).isEqualTo(64 << 10);
            for (int second = 0; second < 40; second++) {
                wire.peer().window(RATE);
                server.pass(Duration.ofSeconds(1));
            }
            assertThat(wire.peer().length()).isEqualTo((64 << 10) + 40 * RATE);
            assertThat(server.count(Counter.SLOW_READERS)).isZero();
        }
    }

    /// Its content is dropped meanwhile.
    @Test
    void contentIsNotLateAfterTheAnswer() {
        Limits limits =
                Limits.DEFAULT.with(
                        draft -> draft.pace.lingerNanos = Duration.ofMinutes(2).toNanos());
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held), limits)) {
            Http2Peer peer = peer(server).post(1, "/", "");
            peer.read();
            Exchange x = held.getFirst();
            server.pass(Duration.ofSeconds(1));
            Answers.say(x, "early");
            server.pass(Duration.ofSeconds(50));
            assertThat(peer.answers()).endsWith("DATA 1 5 end early\n");
            assertThat(server.count(Counter.SLOW_CONTENT)).isZero();
        }
    }

    /// Nothing waits for the client, because the handler has not written more.
    @Test
    void clientIsNotLateWhileTheHandlerIsSilent() {
        List<Exchange> held = new ArrayList<>();
        Handler handler =
                x -> {
                    x.response().head(head());
                    x.response().write(Body.Bytes.of(Answers.bytes("hello")));
                    Answers.holding(held).handle(x);
                };
        try (MemoryServer server = server(handler)) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, "000400000002");
            peer.get(1, "/");
            assertThat(peer.answers()).endsWith("DATA 1 2 he\n");
            server.pass(Duration.ofSeconds(4));
            open(peer, 1, 100);
            assertThat(peer.answers()).isEqualTo("DATA 1 3 llo\n");
            server.pass(Duration.ofSeconds(50));
            assertThat(peer.answers()).isEmpty();
            held.getFirst().response().end(Fields.EMPTY);
            server.run();
            assertThat(peer.answers()).isEqualTo("DATA 1 0 end \n");
        }
    }

    /// A handler continues after half of what waited was sent, not after each frame.
    @Test
    void handlerContinuesAfterHalfOfItsContentWasSent() {
        int[] pieces = {0};
        try (MemoryServer server = server(x -> stream(x, pieces))) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
            open(peer, 0, 1 << 20);
            peer.get(1, "/");
            peer.read();
            int first = pieces[0];
            assertThat(first).isBetween(5, 8);
            open(peer, 1, PIECE_BYTES);
            peer.read();
            assertThat(pieces[0]).isEqualTo(first);
            open(peer, 1, 5 * PIECE_BYTES);
            peer.read();
            assertThat(pieces[0]).isGreaterThan(first);
        }
    }

    /// As with a head of HTTP/1.1: a frame that has begun must arrive.
    @Test
    void frameMustArriveInTime() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).get(1, "/");
            peer.read();
            server.pass(Duration.ofSeconds(20));
            peer.text("\0\0\10\6\0");
            server.pass(Duration.ofSeconds(9));
            assertThat(peer.answers()).isEmpty();
            server.pass(Duration.ofSeconds(2));
            assertThat(peer.answers()).isEqualTo("GOAWAY 1 NO_ERROR\nEND\n");
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(1);
        }
    }

    private static void stream(Exchange x, int[] pieces) {
        x.response().head(head());
        proceed(x, pieces);
    }

    private static void proceed(Exchange x, int[] pieces) {
        long room = 1;
        while (room > 0) {
            room = x.response().write(Body.Bytes.of(new byte[PIECE_BYTES]));
            pieces[0]++;
        }
        x.response().onWritable(() -> proceed(x, pieces));
    }

    private static ResponseHead head() {
        return new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);
    }

    /// The server stops reading frames while much waits to be sent, and continues when the client reads.
    @Test
    void clientThatReadsLateGetsAllItsAnswers() {
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.buffers.unsentMaxBytes = 2000;
                    draft.http2.streamsMax = 1000;
                });
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(900)), limits)) {
            Http2Peer peer = peer(server);
            open(peer, 0, 1 << 20);
            for (int i = 0; i < 500; i++) {
                peer.get(1 + 2 * i, "/");
            }
            server.run();
            assertThat(server.count(Counter.REQUESTS)).isLessThan(500);
            assertThat(peer.answers().lines().filter(line -> line.contains(" 900 end ")))
                    .hasSize(500);
        }
    }

    /// A client sends a window update only after it has read a good part of what it has.
    @ParameterizedTest(name = "window of {0}")
    @CsvSource({"the connection, 000400100000", "the stream, 00040000ffff"})
    void readerIsNotLateWhileItReadsWhatItHas(String which, String setting) {
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(200_000)))) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, setting);
            int number = which.equals("the stream") ? 1 : 0;
            if (number == 1) {
                open(peer, 0, 1 << 20);
            }
            peer.get(1, "/");
            peer.read();
            for (int i = 0; i < 3; i++) {
                server.pass(Duration.ofSeconds(25));
                open(peer, number, 32_768);
                assertThat(peer.answers()).startsWith("DATA 1 ").doesNotContain("RST_STREAM");
            }
            server.pass(Duration.ofSeconds(33));
            assertThat(peer.answers()).isEqualTo("RST_STREAM 1 CANCEL\n");
        }
    }

    /// What was sent before counts only for a while.
    @Test
    void readerThatOpensItsWindowByABitIsLate() {
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(200_000)))) {
            Http2Peer peer = peer(server);
            open(peer, 0, 1 << 20);
            peer.get(1, "/");
            peer.read();
            server.pass(Duration.ofSeconds(25));
            open(peer, 1, 1);
            assertThat(peer.answers()).isEqualTo("DATA 1 1 x\n");
            server.pass(Duration.ofSeconds(15));
            assertThat(peer.answers()).isEqualTo("RST_STREAM 1 CANCEL\n");
            assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(1);
        }
    }

    /// The client never reads, and makes its connection end. Then the server waits only for it to take
    /// what was sent.
    @ParameterizedTest
    @CsvSource({"a frame that stays incomplete", "an error, and the end", "the end"})
    void readerThatStopsIsDroppedAlsoAtTheEnd(String what) {
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(70_000)))) {
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = new Http2Peer(wire).begin();
            peer.read();
            peer.frame(Http2Peer.SETTINGS, 0, 0, "000400100000");
            open(peer, 0, 1 << 20);
            peer.get(1, "/");
            switch (what) {
                case "the end" -> peer.end();
                case "an error, and the end" -> {
                    server.run();
                    peer.frame(Http2Peer.PING, 0, 1, "0000000000000000");
                    server.run();
                    peer.end();
                }
                default -> peer.text("\0");
            }
            server.pass(Duration.ofSeconds(11));
            assertThat(wire.peer().length()).isEqualTo(64 << 10);
            assertThat(wire.peer().isClosed()).isFalse();
            server.pass(Duration.ofSeconds(31));
            assertThat(wire.peer().isClosed()).isTrue();
            assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(1);
        }
    }

    /// Another stream has used up the window of the connection. The streams of the second connection are
    /// the same objects.
    @Test
    void streamIsNotLateWhileItsClientReadsThoseBefore() {
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(70_000)))) {
            for (int i = 0; i < 2; i++) {
                Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, "000400100000");
                peer.get(1, "/");
                peer.read();
                peer.get(3, "/");
                server.pass(Duration.ofSeconds(20));
                assertThat(peer.answers()).startsWith("HEADERS 3 ").doesNotContain("RST_STREAM");
                open(peer, 0, 1 << 20);
                assertThat(peer.answers())
                        .contains("DATA 1 ", "DATA 3 ")
                        .doesNotContain("RST_STREAM");
                peer.end();
                peer.read();
            }
        }
    }

    /// Its other requests wait for their handlers, and each response is of the same stream object.
    @Test
    void readerOfOneResponseOfManyIsNotLate() {
        List<Exchange> held = new ArrayList<>();
        Handler handler =
                x -> {
                    if (x.request().target().text().equals("/held")) {
                        Answers.holding(held).handle(x);
                    } else {
                        Answers.say(x, "x".repeat(100_000));
                    }
                };
        try (MemoryServer server = server(handler)) {
            Http2Peer peer = peer(server);
            open(peer, 0, 1 << 20);
            for (int stream = 1; stream < 120; stream += 2) {
                peer.get(stream, "/held");
            }
            for (int stream = 121; stream < 125; stream += 2) {
                peer.get(stream, "/");
                peer.read();
                server.pass(Duration.ofSeconds(25));
                open(peer, stream, 1 << 20);
                assertThat(peer.answers()).contains("DATA " + stream).doesNotContain("RST_STREAM");
            }
            peer.reset();
            server.run();
        }
    }

    /// The stream rests after each piece, and waits for its window only after the last.
    @Test
    void readerOfPiecesIsNotLateWhileItReadsWhatItHas() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, "000400010000");
            open(peer, 0, 1 << 20);
            for (int stream = 1; stream < 122; stream += 2) { // many, so that their pace is too low
                peer.get(stream, "/");
            }
            server.run();
            Sink response = held.getFirst().response();
            response.head(head());
            for (int i = 0; i < 9; i++) { // eight of them use up the window
                response.write(Body.Bytes.of(new byte[8192]));
                server.run();
                assertThat(peer.answers()).doesNotContain("RST_STREAM");
            }
            server.pass(Duration.ofSeconds(25));
            open(peer, 1, 32_768);
            assertThat(peer.answers()).startsWith("DATA 1 8192 ");
            peer.reset();
            server.run();
        }
    }

    /// The stream has sent little, and rested, before the window of the connection was used up.
    @Test
    void streamThatHasRestedIsNotLateWhileItsClientReadsThoseBefore() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, "000400100000");
            peer.get(1, "/").get(3, "/");
            server.run();
            for (Exchange x : held) {
                x.response().head(head());
            }
            for (int i = 0; i < 13; i++) {
                held.getFirst().response().write(Body.Bytes.of(new byte[5000]));
                server.run();
                assertThat(peer.answers()).contains("DATA 1 5000 ");
            }
            held.getLast().response().write(Body.Bytes.of(new byte[535]));
            server.run();
            assertThat(peer.answers()).contains("DATA 3 535 ");
            held.getLast().response().write(Body.Bytes.of(new byte[535]));
            server.pass(Duration.ofSeconds(20));
            assertThat(peer.answers()).isEmpty();
            open(peer, 0, 32_768);
            assertThat(peer.answers()).startsWith("DATA 3 535 ");
            peer.reset();
            server.run();
        }
    }
}
