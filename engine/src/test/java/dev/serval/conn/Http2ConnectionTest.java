package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http2.FrameReader;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import dev.serval.testkit.Http2Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks the driver of HTTP/2 frame by frame, in memory.
final class Http2ConnectionTest {
    private static MemoryServer server(Handler handler, Limits limits) {
        return MemoryServer.of(handler, limits, new Http(Leniency.defaults()));
    }

    private static MemoryServer server(Handler handler) {
        return server(handler, Limits.DEFAULT);
    }

    /// Returns a server that resets streams at once after an early answer.
    private static MemoryServer hasty(Handler handler) {
        return server(handler, Limits.DEFAULT.with(draft -> draft.pace.lingerNanos = 0));
    }

    private static Http2Peer peer(MemoryServer server) {
        return new Http2Peer(new MemoryWire(server));
    }

    private static String hello(int stream) {
        return "HEADERS %d :status=200 content-length=5\nDATA %d 5 end hello\n"
                .formatted(stream, stream);
    }

    @Test
    void requestsAreAnsweredInOneConnection() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin().get(1, "/").get(3, "/");
            assertThat(peer.read())
                    .startsWith("SETTINGS\nWINDOW_UPDATE 0 196609\nSETTINGS ack\n")
                    .endsWith(hello(1) + hello(3));
            assertThat(peer.get(5, "/").read()).isEqualTo(hello(5));
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(3);
            assertThat(server.count(Counter.CONNECTIONS_ACCEPTED)).isEqualTo(1);
        }
    }

    @Test
    void framesOfATurnGoInOneWrite() {
        try (MemoryServer server = server(Answers.greeting())) {
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = new Http2Peer(wire).begin();
            peer.read();
            long before = wire.peer().writes();
            peer.get(1, "/").frame(Http2Peer.PING, 0, 0, "0123456789abcdef");
            peer.get(3, "/").get(5, "/");
            server.turn();
            assertThat(wire.peer().writes() - before).isEqualTo(1);
            assertThat(peer.read())
                    .isEqualTo("PING ack 0123456789abcdef\n" + hello(1) + hello(3) + hello(5));
        }
    }

    @Test
    void prefaceMayArriveByteByByte() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server);
            for (char c : "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".toCharArray()) {
                peer.text(String.valueOf(c));
                server.run();
            }
            assertThat(peer.frame(Http2Peer.SETTINGS, 0, 0, "").get(1, "/").answers())
                    .isEqualTo(hello(1));
        }
    }

    @Test
    void wrongPrefaceIsHttp1() {
        try (MemoryServer server = server(Answers.greeting())) {
            assertThat(server.ask(server.connect(), "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"))
                    .startsWith("HTTP/1.1 505 ");
            assertThat(server.ask(server.connect(), "PRI / HTTP/1.1\r\nHost: a\r\n\r\n"))
                    .startsWith("HTTP/1.1 501 ");
            assertThat(server.ask(server.connect(), Answers.GET)).startsWith("HTTP/1.1 200 ");
        }
    }

    /// What came before on the connection does not count, also if the same object served it.
    @Test
    void bytesOfARequestAreThoseOfItsFrames() {
        byte[] head = Http2Peer.head("POST", "/");
        int half = head.length / 2;
        List<String> seen = new ArrayList<>();
        try (MemoryServer server = server(Answers.counting(seen))) {
            Http2Peer peer = peer(server).begin();
            for (int stream = 1; stream <= 5; stream += 2) {
                peer.frame(Http2Peer.HEADERS, 0, stream, Arrays.copyOf(head, half));
                peer.frame(
                        Http2Peer.CONTINUATION,
                        Http2Peer.END_HEADERS,
                        stream,
                        Arrays.copyOfRange(head, half, head.length));
                peer.data(stream, "abc", false);
                int paddedLast = 9;
                peer.frame(Http2Peer.DATA, paddedLast, stream, "02" + "6465" + "0000");
                peer.read();
                assertThat(seen.getLast()).isEqualTo("END 5");
                assertThat(server.lastReceived())
                        .isEqualTo(4 * FrameReader.HEADER + head.length + 3 + (1 + 2 + 2));
            }
        }
    }

    @Test
    void contentIsCollectedFromFrames() {
        try (MemoryServer server = server(Answers.echo())) {
            Http2Peer peer = peer(server).begin().post(1, "/", "");
            peer.data(1, "ab", false).frame(Http2Peer.DATA, 8, 1, "03" + "6364" + "000000");
            peer.data(1, "", true);
            assertThat(peer.answers())
                    .startsWith("HEADERS 1 :status=200")
                    .contains("ab")
                    .contains("cd");
        }
    }

    @Test
    void headMayBeContinuedAndPadded() {
        byte[] head = Http2Peer.head("GET", "/");
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin();
            int half = head.length / 2;
            peer.frame(Http2Peer.HEADERS, Http2Peer.END_STREAM, 1, Arrays.copyOf(head, half));
            assertThat(peer.answers()).isEmpty();
            peer.frame(
                    Http2Peer.CONTINUATION,
                    Http2Peer.END_HEADERS,
                    1,
                    Arrays.copyOfRange(head, half, head.length));
            assertThat(peer.answers()).isEqualTo(hello(1));
        }
    }

    /// The errors that end the connection (RFC 9113), as h2spec checks them.
    @ParameterizedTest(name = "RFC 9113 §{0}: {1}")
    @CsvSource({
        "5.1, content of an idle stream, 0 0 1 00, PROTOCOL_ERROR",
        "5.1, a reset of an idle stream, 3 0 1 00000008, PROTOCOL_ERROR",
        "5.1, a window of an idle stream, 8 0 1 00000001, PROTOCOL_ERROR",
        "5.1, a continuation of an idle stream, 9 4 1 82, PROTOCOL_ERROR",
        "5.1.1, an even stream, 1 5 2 82, PROTOCOL_ERROR",
        "4.3, a block that cannot be read, 1 5 1 be, COMPRESSION_ERROR",
        "6.5.2, a window that is too large, 4 0 0 000480000000, FLOW_CONTROL_ERROR",
        "6.5.2, a wrong setting, 4 0 0 000200000002, PROTOCOL_ERROR",
        "6.5.2, a wrong frame size, 4 0 0 000500003fff, PROTOCOL_ERROR",
        "6.6, a push, 5 4 1 00000002, PROTOCOL_ERROR",
        "6.9, no increment of the window of all, 8 0 0 00000000, PROTOCOL_ERROR",
        "6.9.1, too large a window of all, 8 0 0 7fffffff, FLOW_CONTROL_ERROR"
    })
    void errorOfTheConnectionEndsIt(String section, String what, String frame, String code) {
        String[] parts = frame.split(" ", -1);
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin();
            peer.read();
            peer.frame(
                    Integer.parseInt(parts[0]),
                    Integer.parseInt(parts[1]),
                    Integer.parseInt(parts[2]),
                    parts[3]);
            assertThat(peer.answers()).as(section + what).matches("GOAWAY \\d " + code + "\nEND\n");
            assertThat(server.count(Counter.PROTOCOL_ERRORS)).isEqualTo(1);
        }
    }

    /// The errors that end only their stream.
    @ParameterizedTest(name = "RFC 9113 §{0}: {1}")
    @CsvSource({
        "5.1, content after the end, 0 0 1 61, STREAM_CLOSED",
        "5.1, a head after the end, 1 5 1 82, STREAM_CLOSED",
        "6.9, no increment, 8 0 1 00000000, PROTOCOL_ERROR",
        "6.9.1, too large a window, 8 0 1 7fffffff, FLOW_CONTROL_ERROR"
    })
    void errorOfAStreamEndsIt(String section, String what, String frame, String code) {
        String[] parts = frame.split(" ", -1);
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).begin().get(1, "/").get(3, "/");
            peer.read();
            peer.frame(
                    Integer.parseInt(parts[0]),
                    Integer.parseInt(parts[1]),
                    Integer.parseInt(parts[2]),
                    parts[3]);
            assertThat(peer.answers()).as(section + what).isEqualTo("RST_STREAM 1 " + code + "\n");
            Answers.say(held.get(1), "hello");
            server.run();
            assertThat(peer.answers()).isEqualTo(hello(3));
        }
    }

    @ParameterizedTest(name = "RFC 9113 §8: {0}")
    @CsvSource({
        "a name in capitals, :method GET|:scheme http|:path /|:authority a|X y",
        "a field of HTTP/1.1, :method GET|:scheme http|:path /|:authority a|connection close",
        "no path, :method GET|:scheme http|:authority a",
        "a response, :status 200"
    })
    void malformedHeadEndsItsStream(String what, String lines) {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin();
            peer.frame(Http2Peer.HEADERS, 5, 1, Http2Peer.block(lines)).get(3, "/");
            assertThat(peer.answers())
                    .as(what)
                    .isEqualTo("RST_STREAM 1 PROTOCOL_ERROR\n" + hello(3));
            assertThat(server.count(Counter.REQUESTS)).isEqualTo(1);
        }
    }

    @Test
    void wrongTargetAndLargeHeadAreAnswered() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin().get(1, "/a#b");
            assertThat(peer.answers()).startsWith("HEADERS 1 :status=400 ");
            byte[] large =
                    Http2Peer.block(
                            ":method GET|:scheme http|:path /|:authority a|"
                                    + "x yyyyyyyyyyyyyyyy|".repeat(120)
                                    + "z z");
            peer.frame(Http2Peer.HEADERS, 5, 3, large);
            assertThat(peer.answers()).startsWith("HEADERS 3 :status=431 ");
            assertThat(peer.get(5, "/").answers()).isEqualTo(hello(5));
        }
    }

    /// Not even all pseudo-header fields were read, but the head is whole.
    @Test
    void targetOfManyKilobytesIsAnswered() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin();
            byte[] block = Http2Peer.head("GET", "/" + "a".repeat(40_000));
            divided(peer, 1, block, Http2Peer.END_STREAM);
            assertThat(peer.answers()).startsWith("HEADERS 1 :status=414 ");
            assertThat(peer.get(3, "/").answers()).isEqualTo(hello(3));
        }
    }

    @Test
    void trailersOfManyKilobytesAreRefused() {
        try (MemoryServer server = server(Answers.echo())) {
            Http2Peer peer = peer(server).begin().post(1, "/", "");
            byte[] block = Http2Peer.block("x-a " + "a".repeat(40_000));
            divided(peer, 1, block, Http2Peer.END_STREAM);
            assertThat(peer.answers()).endsWith("RST_STREAM 1 ENHANCE_YOUR_CALM\n");
            assertThat(peer.get(3, "/").answers()).contains("HEADERS 3 end :status=200");
        }
    }

    /// Sends a block in frames of the largest size.
    private static void divided(Http2Peer peer, int stream, byte[] block, int flags) {
        int frame = 16_384;
        for (int at = 0; at < block.length; at += frame) {
            int end = Math.min(block.length, at + frame);
            int last = end == block.length ? Http2Peer.END_HEADERS : 0;
            peer.frame(
                    at == 0 ? Http2Peer.HEADERS : Http2Peer.CONTINUATION,
                    (at == 0 ? flags : 0) | last,
                    stream,
                    Arrays.copyOfRange(block, at, end));
        }
    }

    @ParameterizedTest(name = "RFC 9113 §8.1.1: {0}")
    @CsvSource({"fewer bytes, 3", "more bytes, 1"})
    void contentMustHaveItsAnnouncedLength(String what, int announced) {
        try (MemoryServer server = server(Answers.echo())) {
            Http2Peer peer = peer(server).begin().post(1, "/", "content-length " + announced);
            assertThat(peer.data(1, "ab", true).answers())
                    .as(what)
                    .endsWith("RST_STREAM 1 PROTOCOL_ERROR\n");
        }
    }

    @Test
    void trailersMustEndTheStream() {
        try (MemoryServer server = server(Answers.echo())) {
            Http2Peer peer = peer(server).begin().post(1, "/", "").post(3, "/", "");
            peer.frame(Http2Peer.HEADERS, 4, 1, Http2Peer.block("x y"));
            peer.frame(Http2Peer.HEADERS, 5, 3, Http2Peer.block(":path /"));
            assertThat(peer.answers())
                    .contains("RST_STREAM 1 PROTOCOL_ERROR\n")
                    .contains("RST_STREAM 3 PROTOCOL_ERROR\n");
        }
    }

    /// RFC 9113 §5.1: the end of a stream that both sides have ended is known to both.
    @Test
    void frameAfterBothEndsIsAnErrorOfTheConnection() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin().get(1, "/");
            assertThat(peer.answers()).isEqualTo(hello(1));
            assertThat(peer.data(1, "a", true).answers())
                    .isEqualTo("GOAWAY 1 STREAM_CLOSED\nEND\n");
        }
    }

    /// RFC 9113 §5.1: what was on its way when the server has reset the stream is ignored.
    @Test
    void framesAfterOurResetAreIgnored() {
        try (MemoryServer server = hasty(Answers.greeting())) {
            Http2Peer peer = peer(server).begin().post(1, "/", "");
            assertThat(peer.answers()).isEqualTo(hello(1) + "RST_STREAM 1 NO_ERROR\n");
            peer.data(1, "late", false).frame(Http2Peer.HEADERS, 5, 1, Http2Peer.block("x y"));
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00000001");
            assertThat(peer.answers()).isEmpty();
            assertThat(peer.get(3, "/").answers()).isEqualTo(hello(3));
        }
    }

    /// RFC 9113 §5.1: after its own reset, the client has nothing on its way.
    @Test
    void framesAfterBothResetsAreErrorsOfTheStream() {
        try (MemoryServer server = hasty(Answers.greeting())) {
            Http2Peer peer = peer(server).begin().post(1, "/", "");
            assertThat(peer.answers()).isEqualTo(hello(1) + "RST_STREAM 1 NO_ERROR\n");
            peer.frame(Http2Peer.RST_STREAM, 0, 1, "00000008");
            peer.frame(Http2Peer.HEADERS, 5, 1, Http2Peer.head("GET", "/"));
            assertThat(peer.answers()).isEqualTo("RST_STREAM 1 STREAM_CLOSED\n");
            assertThat(peer.get(3, "/").answers()).isEqualTo(hello(3));
        }
    }

    @Test
    void framesAfterTheClientsResetAreErrorsOfTheStream() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).begin().post(1, "/", "");
            peer.frame(Http2Peer.RST_STREAM, 0, 1, "00000008");
            assertThat(peer.answers()).isEmpty();
            assertThat(peer.data(1, "late", false).answers())
                    .isEqualTo("RST_STREAM 1 STREAM_CLOSED\n");
            assertThat(server.count(Counter.PEERS_GONE)).isEqualTo(1);
        }
    }

    /// RFC 9113 §6.9
    @Test
    void contentWaitsForTheWindows() {
        try (MemoryServer server = server(x -> Answers.say(x, "0123456789"))) {
            Http2Peer peer = peer(server).begin();
            peer.frame(Http2Peer.SETTINGS, 0, 0, "000400000004").get(1, "/");
            assertThat(peer.answers())
                    .isEqualTo("HEADERS 1 :status=200 content-length=10\nDATA 1 4 0123\n");
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00000001");
            assertThat(peer.answers()).isEqualTo("DATA 1 1 4\n");
            peer.frame(Http2Peer.SETTINGS, 0, 0, "000400000002"); // now -2
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00000002");
            assertThat(peer.answers()).isEmpty();
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00000002");
            assertThat(peer.answers()).isEqualTo("DATA 1 2 56\n");
            peer.frame(Http2Peer.SETTINGS, 0, 0, "000400000010");
            assertThat(peer.answers()).isEqualTo("DATA 1 3 end 789\n");
        }
    }

    @Test
    void clientMustKeepToTheWindow() {
        List<Exchange> held = new ArrayList<>();
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.http2.streamWindowBytes = 65_535;
                    draft.http2.connectionWindowBytes = 70_000;
                    draft.http2.connectionWindowMaxBytes = 70_000;
                });
        try (MemoryServer server = server(Answers.holding(held), limits)) {
            Http2Peer peer = peer(server).begin().post(1, "/", "").post(3, "/", "");
            String piece = "x".repeat(16_000);
            for (int i = 0; i < 4; i++) {
                peer.data(1, piece, false);
            }
            assertThat(peer.answers()).isEmpty();
            peer.data(1, "x".repeat(1_536), false); // one byte past the window of the stream
            assertThat(peer.answers()).isEqualTo("RST_STREAM 1 FLOW_CONTROL_ERROR\n");
            for (int i = 0; i < 4; i++) {
                peer.data(3, piece, false);
            }
            assertThat(peer.answers()).isEmpty(); // the window of all was opened again
            peer.post(5, "/", "").data(5, piece, false);
            assertThat(peer.answers()).isEqualTo("GOAWAY 5 FLOW_CONTROL_ERROR\nEND\n");
        }
    }

    /// A DATA frame arrives in pieces, and its stream ends between them.
    @Test
    void restOfAFrameBelongsToNoOtherStream() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = hasty(Answers.holding(held))) {
            Http2Peer first = peer(server).begin().post(1, "/", "");
            first.read();
            first.text("\0\0\6\0\0\0\0\0\1abc");
            first.read();
            Answers.say(held.getFirst(), "hello");
            server.run();
            assertThat(first.answers()).isEqualTo(hello(1) + "RST_STREAM 1 NO_ERROR\n");
            Http2Peer second = peer(server).begin().post(1, "/", "content-length 1");
            second.read();
            first.text("def");
            first.read();
            assertThat(second.data(1, "x", true).answers()).isEmpty();
            Answers.say(held.get(1), "hello");
            server.run();
            assertThat(second.answers()).isEqualTo(hello(1));
            assertThat(first.get(3, "/").answers()).isEmpty();
        }
    }

    @Test
    void pingIsAnswered() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin();
            peer.frame(Http2Peer.PING, 0, 0, "0102030405060708");
            assertThat(peer.answers()).isEqualTo("PING ack 0102030405060708\n");
        }
    }

    @Test
    void headAnswerHasNoContent() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin();
            peer.frame(Http2Peer.HEADERS, 5, 1, Http2Peer.head("HEAD", "/"));
            assertThat(peer.answers()).isEqualTo("HEADERS 1 end :status=200 content-length=5\n");
        }
    }

    // The end

    /// RFC 9113 §6.8
    @Test
    void drainEndsInTwoSteps() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).begin().get(1, "/");
            peer.read();
            server.drain();
            String ping = "5365727661" + "6c0001";
            assertThat(peer.answers()).isEqualTo("GOAWAY 2147483647 NO_ERROR\nPING " + ping + "\n");
            peer.get(3, "/"); // was on its way
            peer.frame(Http2Peer.PING, Http2Peer.ACK, 0, ping);
            assertThat(peer.answers()).isEqualTo("GOAWAY 3 NO_ERROR\n");
            peer.get(5, "/");
            assertThat(peer.answers()).isEqualTo("RST_STREAM 5 REFUSED_STREAM\n");
            Answers.say(held.get(0), "hello");
            Answers.say(held.get(1), "hello");
            server.run();
            assertThat(peer.answers()).isEqualTo(hello(1) + hello(3) + "END\n");
        }
    }

    @Test
    void drainDoesNotWaitForThePing() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin().get(1, "/");
            peer.read();
            server.drain();
            assertThat(peer.answers()).doesNotContain("END");
            server.pass(Duration.ofSeconds(1));
            assertThat(peer.answers()).endsWith("GOAWAY 1 NO_ERROR\nEND\n");
        }
    }

    @Test
    void connectionEndsAfterItsRequests() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.counts.requestsPerConnectionMax = 2);
        try (MemoryServer server = server(Answers.greeting(), limits)) {
            Http2Peer peer = peer(server).begin().get(1, "/");
            assertThat(peer.answers()).isEqualTo(hello(1));
            assertThat(peer.get(3, "/").answers())
                    .contains("GOAWAY 2147483647 NO_ERROR\n", hello(3));
        }
    }

    @Test
    void forcedCriticalModeEndsTheConnection() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.load.forced = LoadMode.CRITICAL);
        try (MemoryServer server = server(Answers.greeting(), limits)) {
            Http2Peer peer = peer(server).begin().get(1, "/");
            assertThat(peer.answers()).contains("GOAWAY 2147483647 NO_ERROR\n", hello(1));
        }
    }

    @Test
    void idleConnectionIsClosed() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin().get(1, "/");
            peer.read();
            server.pass(Duration.ofSeconds(70));
            peer.frame(Http2Peer.PING, 0, 0, "0102030405060708"); // postpones nothing
            assertThat(peer.answers()).isEqualTo("PING ack 0102030405060708\n");
            server.pass(Duration.ofSeconds(6));
            assertThat(peer.answers()).isEqualTo("GOAWAY 1 NO_ERROR\nEND\n");
            assertThat(server.count(Counter.IDLE_TIMEOUTS)).isEqualTo(1);
        }
    }

    /// The time begins anew with each request, also with one that is answered at once.
    @Test
    void busyConnectionIsNotIdle() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin();
            for (int stream = 1; stream <= 9; stream += 2) {
                assertThat(peer.get(stream, "/").answers()).isEqualTo(hello(stream));
                server.pass(Duration.ofSeconds(50));
            }
            assertThat(peer.answers()).isEmpty();
            server.pass(Duration.ofSeconds(26));
            assertThat(peer.answers()).isEqualTo("GOAWAY 9 NO_ERROR\nEND\n");
        }
    }

    /// A ping in two pieces is waited for as the rest of a frame, but is no request.
    @Test
    void pingInPiecesDoesNotProlongTheIdleTime() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin().get(1, "/");
            peer.read();
            server.pass(Duration.ofSeconds(70));
            peer.text("\0\0\10\6\0");
            assertThat(peer.answers()).isEmpty();
            peer.text("\0\0\0\0" + "12345678");
            assertThat(peer.answers()).isEqualTo("PING ack 3132333435363738\n");
            server.pass(Duration.ofSeconds(6));
            assertThat(peer.answers()).isEqualTo("GOAWAY 1 NO_ERROR\nEND\n");
        }
    }

    @Test
    void requestOfANewConnectionMustComeInTime() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).begin();
            peer.read();
            server.pass(Duration.ofSeconds(11));
            assertThat(peer.answers()).isEqualTo("GOAWAY 0 NO_ERROR\nEND\n");
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void clientThatEndsItsInputGetsItsAnswers() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).begin().get(1, "/");
            peer.read();
            peer.end();
            server.run();
            Answers.say(held.getFirst(), "hello");
            assertThat(peer.answers()).isEqualTo(hello(1) + "END\n");
        }
    }

    @Test
    void responseThatBreaksOffIsReset() {
        Handler shorter =
                x -> {
                    x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 9));
                    x.response().end(Fields.EMPTY);
                };
        try (MemoryServer server = server(shorter)) {
            assertThat(peer(server).begin().get(1, "/").answers())
                    .isEqualTo(
                            "HEADERS 1 :status=200 content-length=9\nRST_STREAM 1 INTERNAL_ERROR\n");
        }
    }
}
