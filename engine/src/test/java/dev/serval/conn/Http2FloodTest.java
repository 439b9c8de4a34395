package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.ListenerSpec;
import dev.serval.Serval;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Await;
import dev.serval.testkit.Http2Peer;
import dev.serval.testkit.SocketWire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Checks that abuse of HTTP/2 ends with the error that the RFC names, or ENHANCE_YOUR_CALM, and is
/// counted.
final class Http2FloodTest {
    private static final Limits LIMITS =
            Limits.DEFAULT.with(draft -> {
                draft.http2.streamsMax = 3;
                draft.http2.framesMax = 20;
                draft.http2.resetsMax = 5;
                draft.http2.continuationsMax = 2;
            });

    private static MemoryServer server(Handler handler) {
        return MemoryServer.of(handler, LIMITS, new Http(Leniency.defaults()));
    }

    private static Http2Peer peer(MemoryServer server) {
        Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
        peer.read();
        return peer;
    }

    private static void assertFlood(MemoryServer server, Http2Peer peer, int last) {
        assertThat(peer.answers()).endsWith("GOAWAY " + last + " ENHANCE_YOUR_CALM\nEND\n");
        assertThat(server.count(Counter.CONNECTIONS_REFUSED_FLOOD)).isEqualTo(1);
    }

    /// One frame was counted before: the settings.
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "PING, 6 0 0 0000000000000000",
        "answers to no ping, 6 1 0 0000000000000000",
        "SETTINGS, 4 0 0 000300000001",
        "empty SETTINGS, 4 0 0 ''",
        "PRIORITY, 2 0 1 0000000001",
        "PRIORITY_UPDATE, 16 0 0 00000001753d31",
        "WINDOW_UPDATE, 8 0 0 00000001",
        "unknown frames, 99 0 0 ''"
    })
    void framesWithoutEffectHaveALimit(String what, String frame) {
        String[] parts = frame.split(" ", -1);
        String payload = parts[3].replace("'", "");
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server);
            for (int i = 0; i < 20; i++) {
                assertThat(peer.answers()).as(what).doesNotContain("CALM");
                peer.frame(
                        Integer.parseInt(parts[0]),
                        Integer.parseInt(parts[1]),
                        Integer.parseInt(parts[2]),
                        payload);
            }
            assertFlood(server, peer, 0);
        }
    }

    /// Frames of padding are as empty as those without a byte.
    @Test
    void paddingMakesUpForNoOtherFrame() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).post(1, "/", "");
            for (int i = 0; i < 10; i++) {
                assertThat(peer.answers()).doesNotContain("CALM");
                peer.frame(Http2Peer.DATA, 8, 1, "0200" + "00");
                peer.frame(Http2Peer.SETTINGS, 0, 0, "");
            }
            assertFlood(server, peer, 1);
        }
    }

    /// The first acknowledgement is that of our own settings.
    @Test
    void acknowledgementsOfNoSettingsHaveALimit() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server);
            for (int i = 0; i < 21; i++) {
                assertThat(peer.answers()).isEmpty();
                peer.frame(Http2Peer.SETTINGS, Http2Peer.ACK, 0, "");
            }
            assertFlood(server, peer, 0);
        }
    }

    /// A connection that the client leaves stays open for its stream.
    @Test
    void farewellsHaveALimit() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).get(1, "/");
            for (int i = 0; i < 20; i++) {
                assertThat(peer.answers()).doesNotContain("CALM");
                peer.frame(Http2Peer.GOAWAY, 0, 0, "0000000000000000");
            }
            assertFlood(server, peer, 1);
        }
    }

    /// Frames that may have been on their way when a stream ended are no fault, but have a limit.
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "resets by the client, 3 0 1 00000008",
        "content, 0 0 1 61",
        "heads, 1 4 1 4003782d790161",
        "windows, 8 0 1 00000001"
    })
    void framesOfAStreamThatIsOverHaveALimit(String what, String frame) {
        String[] parts = frame.split(" ", -1);
        Limits limits = LIMITS.with(draft -> draft.pace.lingerNanos = 0);
        try (MemoryServer server =
                MemoryServer.of(Answers.greeting(), limits, new Http(Leniency.defaults()))) {
            Http2Peer peer = peer(server).post(1, "/", "");
            assertThat(peer.answers()).as(what).endsWith("RST_STREAM 1 NO_ERROR\n");
            String seen = "";
            int sent = 0;
            while (seen.isEmpty() && sent < 100) {
                peer.frame(
                        Integer.parseInt(parts[0]),
                        Integer.parseInt(parts[1]),
                        Integer.parseInt(parts[2]),
                        parts[3]);
                seen = peer.answers();
                sent++;
            }
            assertThat(seen).isEqualTo("GOAWAY 1 ENHANCE_YOUR_CALM\nEND\n");
            // Its content makes up for four, and the settings were one.
            assertThat(sent).isEqualTo(24);
        }
    }

    @Test
    void emptyContentHasALimit() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).post(1, "/", "");
            for (int i = 0; i < 20; i++) {
                assertThat(peer.answers()).isEmpty();
                peer.data(1, "", false);
            }
            assertFlood(server, peer, 1);
        }
    }

    @Test
    void honestFramesAreForgotten() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server);
            for (int i = 0; i < 50; i++) {
                peer.frame(Http2Peer.PING, 0, 0, "0000000000000000");
                peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00000005");
                assertThat(peer.get(1 + 2 * i, "/").answers()).contains("hello");
            }
            for (int i = 0; i < 5; i++) {
                for (int k = 0; k < 15; k++) {
                    peer.frame(Http2Peer.PING, 0, 0, "0000000000000000");
                }
                assertThat(peer.answers()).doesNotContain("CALM");
                server.pass(Duration.ofSeconds(10));
            }
        }
    }

    /// A client that was busy sends the updates for all small frames at once.
    @Test
    void lateUpdatesForSmallFramesAreNoFlood() {
        try (MemoryServer server = server(Http2FloodTest::pieces)) {
            Http2Peer peer = peer(server).get(1, "/");
            assertThat(peer.answers().lines().filter(line -> line.startsWith("DATA 1 1 ")))
                    .hasSize(50);
            for (int i = 0; i < 100; i++) {
                peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00000001");
            }
            assertThat(peer.get(3, "/").answers()).doesNotContain("CALM").contains("DATA 3 1 ");
        }
    }

    /// Answers in 50 pieces of a byte.
    private static void pieces(Exchange x) {
        x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH));
        for (int i = 0; i < 50; i++) {
            x.response().write(Body.Bytes.of(new byte[1]));
        }
        x.response().end(Fields.EMPTY);
    }

    /// Each of their frames lets content through.
    @Test
    void framesOfADownloadAreNoFlood() {
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(1000)))) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, "00040000000a");
            peer.get(1, "/");
            String last = peer.answers();
            for (int i = 0; i < 99; i++) {
                assertThat(last).contains("DATA 1 10 ");
                peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "0000000a");
                last = peer.answers();
            }
            assertThat(last).contains("DATA 1 10 end ");
        }
    }

    /// A client with large windows that reads little at a time gives back each 4 KiB, to the stream and to
    /// the connection.
    @Test
    void updatesOfSmallReadsAreNoFlood() {
        try (MemoryServer server = server(x -> Answers.say(x, "x".repeat(400 << 10)))) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, "000400100000");
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00100000").get(1, "/");
            assertThat(peer.answers()).contains("DATA 1 16384 end ");
            for (int i = 0; i < 100; i++) {
                peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00001000");
                peer.frame(Http2Peer.WINDOW_UPDATE, 0, 1, "00001000");
            }
            assertThat(peer.get(3, "/").answers()).doesNotContain("CALM").contains("HEADERS 3 ");
        }
    }

    /// Such as those that measure how far away the server is.
    @Test
    void framesOfAnUploadAreNoFlood() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).post(1, "/", "");
            for (int i = 0; i < 100; i++) {
                peer.data(1, "x", false).frame(Http2Peer.PING, 0, 0, "0000000000000000");
                assertThat(peer.answers()).isEqualTo("PING ack 0000000000000000\n");
            }
        }
    }

    /// CVE-2023-44487
    @Test
    void rapidResetEnds() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server);
            for (int i = 0; i < 6; i++) {
                assertThat(peer.answers()).isEmpty();
                peer.get(1 + 2 * i, "/").frame(Http2Peer.RST_STREAM, 0, 1 + 2 * i, "00000008");
            }
            assertFlood(server, peer, 11);
        }
    }

    /// CVE-2025-8671: the client makes the server reset its streams.
    @Test
    void madeYouResetEnds() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server);
            for (int i = 0; i < 6; i++) {
                assertThat(peer.answers()).doesNotContain("CALM");
                peer.get(1 + 2 * i, "/").frame(Http2Peer.WINDOW_UPDATE, 0, 1 + 2 * i, "00000000");
            }
            assertFlood(server, peer, 11);
        }
    }

    @Test
    void malformedHeadsEnd() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server);
            for (int i = 0; i < 6; i++) {
                assertThat(peer.answers()).doesNotContain("CALM");
                peer.frame(Http2Peer.HEADERS, 5, 1 + 2 * i, Http2Peer.block("x y"));
            }
            assertFlood(server, peer, 11);
        }
    }

    /// The limit holds before the client has acknowledged it.
    @Test
    void streamsHaveALimitBeforeItIsAcknowledged() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held))) {
            Http2Peer peer = peer(server).get(1, "/").get(3, "/").get(5, "/");
            assertThat(peer.answers()).isEmpty();
            assertThat(peer.get(7, "/").answers()).isEqualTo("RST_STREAM 7 REFUSED_STREAM\n");
            assertThat(server.count(Counter.STREAMS_REFUSED)).isEqualTo(1);
            Answers.say(held.getFirst(), "hello");
            server.run();
            peer.read();
            assertThat(peer.get(9, "/").answers()).isEmpty();
            assertThat(held).hasSize(4);
            for (int i = 0; i < 6; i++) {
                peer.get(11 + 2 * i, "/");
            }
            assertFlood(server, peer, 21); // the finished response has made up for the first
        }
    }

    /// A stream counts until no application code works for it, so resets make no room for more.
    @Test
    void resetStreamCountsWhileItsTaskIsAtWork() throws IOException {
        CountDownLatch latch = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(3);
        Handler handler =
                x ->
                        x.run(
                                ExecutorKind.BLOCKING,
                                () -> {
                                    begun.countDown();
                                    Await.open("the test lets it", latch);
                                    return y -> Answers.say(y, "hello");
                                });
        try (Serval server =
                Serval.builder()
                        .limits(LIMITS)
                        .loops(1)
                        .listen(
                                new ListenerSpec(
                                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
                        .mount("/", handler)
                        .start()) {
            Http2Peer peer =
                    new Http2Peer(SocketWire.connect(server.addresses().getFirst())).begin();
            for (int stream = 1; stream <= 5; stream += 2) {
                peer.get(stream, "/");
            }
            Await.open("three tasks run", begun);
            for (int stream = 1; stream <= 5; stream += 2) {
                peer.frame(Http2Peer.RST_STREAM, 0, stream, "00000008");
            }
            peer.get(7, "/");
            Await.until("refused", () -> server.metrics().sum(Counter.STREAMS_REFUSED) == 1);
            latch.countDown();
        }
    }

    @Test
    void continuationsHaveALimit() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).frame(Http2Peer.HEADERS, 1, 1, "82");
            peer.frame(Http2Peer.CONTINUATION, 0, 1, "86").frame(Http2Peer.CONTINUATION, 0, 1, "");
            assertThat(peer.answers()).isEmpty();
            peer.frame(Http2Peer.CONTINUATION, 0, 1, "");
            assertFlood(server, peer, 1);
        }
    }

    @Test
    void headerBlockMustEndInTime() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).get(1, "/");
            peer.read();
            server.pass(Duration.ofSeconds(20));
            peer.frame(Http2Peer.HEADERS, 1, 3, "82");
            assertThat(peer.answers()).isEmpty();
            server.pass(Duration.ofSeconds(6));
            peer.frame(Http2Peer.CONTINUATION, 0, 3, "86"); // postpones nothing
            assertThat(peer.answers()).isEmpty();
            server.pass(Duration.ofSeconds(5));
            assertThat(peer.answers()).isEqualTo("GOAWAY 3 ENHANCE_YOUR_CALM\nEND\n");
            assertThat(server.count(Counter.HEAD_TIMEOUTS)).isEqualTo(1);
        }
    }

    /// One entry of the table, repeated.
    @Test
    void bombOfFieldsEnds() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server);
            String large = "78".repeat(3000);
            peer.frame(Http2Peer.HEADERS, 5, 1, "400161" + "7fb916" + large);
            assertThat(peer.answers()).isEqualTo("RST_STREAM 1 PROTOCOL_ERROR\n");
            peer.frame(Http2Peer.HEADERS, 5, 3, "be".repeat(16_000));
            assertFlood(server, peer, 3);
        }
    }

    /// A client that never opens its windows.
    @Test
    void slowReaderIsReset() {
        try (MemoryServer server = server(Answers.greeting())) {
            Http2Peer peer = peer(server).frame(Http2Peer.SETTINGS, 0, 0, "000400000000");
            peer.get(1, "/");
            assertThat(peer.answers()).isEqualTo("HEADERS 1 :status=200 content-length=5\n");
            server.pass(Duration.ofSeconds(31));
            assertThat(peer.answers()).isEqualTo("RST_STREAM 1 CANCEL\n");
            assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(1);
        }
    }

    @Test
    void slowContentIsRefused() {
        try (MemoryServer server = server(Answers.echo())) {
            Http2Peer peer = peer(server).post(1, "/", "").data(1, "a", false);
            peer.read();
            server.pass(Duration.ofSeconds(31));
            assertThat(peer.answers()).contains("RST_STREAM 1 ");
            assertThat(server.count(Counter.SLOW_CONTENT)).isEqualTo(1);
        }
    }
}
