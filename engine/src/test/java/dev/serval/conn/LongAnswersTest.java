package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.serval.testkit.Http2Peer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Checks how content that an application hands over in memory counts over HTTP/2 while it waits. A
/// client that reads gets answers of any length. Clients that take nothing hold no more of them than
/// [Limits.Buffers#heldMaxBytes] allows.
final class LongAnswersTest {
    private static final int MIB = 1 << 20;
    private static final int COUNTED = 64 << 10; // the most that one response counts
    private static final int FLOODED = 100_000;
    private static final String NO_WINDOW = "000400000000";
    private static final String WIDE_WINDOW = "000400100000"; // 1 MiB for each stream

    private int unreleased;

    /// Sends long answers, which share an array so that the test needs little memory.
    private static Handler sending(int bytes) {
        byte[] content = new byte[bytes];
        return x -> send(x, content, () -> {});
    }

    /// Passes requests for `/` to the first handler.
    private static Handler choosing(Handler root, Handler others) {
        return x -> (x.request().target().text().equals("/") ? root : others).handle(x);
    }

    private static void send(Exchange x, byte[] content, Runnable released) {
        x.response()
                .send(
                        new ResponseHead(Status.OK, Fields.EMPTY, content.length),
                        new Body.Bytes(ByteBuffer.wrap(content), released));
    }

    private static MemoryServer server(Handler handler, long heldMaxBytes) {
        Limits limits = Limits.DEFAULT.with(draft -> draft.buffers.heldMaxBytes = heldMaxBytes);
        return MemoryServer.of(handler, limits, new Http(Leniency.defaults()));
    }

    private static Http2Peer peer(MemoryServer server, String settings) {
        return peer(new MemoryWire(server), settings);
    }

    private static Http2Peer peer(MemoryWire wire, String settings) {
        Http2Peer peer = new Http2Peer(wire).begin();
        peer.frame(Http2Peer.SETTINGS, 0, 0, settings);
        peer.read();
        return peer;
    }

    private static void open(Http2Peer peer, int stream, long bytes) {
        peer.frame(Http2Peer.WINDOW_UPDATE, 0, stream, "%08x".formatted(bytes));
    }

    /// A client that takes one answer, and opens its windows again for what it took.
    private static final class Reader {
        final Http2Peer peer;
        long taken;

        Reader(MemoryServer server) {
            peer = peer(server, WIDE_WINDOW);
        }

        // Returns whether anything came.
        boolean read() {
            long n =
                    peer.read()
                            .lines()
                            .filter(line -> line.startsWith("DATA "))
                            .mapToLong(line -> Long.parseLong(line.split(" ", -1)[2]))
                            .sum();
            taken += n;
            if (n > 0) {
                open(peer, 0, n);
                open(peer, 1, n);
            }
            return n > 0;
        }
    }

    @Test
    void answerOfManyTimesTheLimitIsSentToAClientThatReads() {
        try (MemoryServer server = server(sending(64 * MIB), MIB)) {
            Reader reader = new Reader(server);
            reader.peer.get(1, "/");
            while (reader.read()) {
                server.pass(Duration.ofMillis(100));
            }
            assertThat(reader.taken).isEqualTo(64L * MIB);
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isZero();
        }
    }

    /// They are more than the limit would allow if each of them counted.
    @Test
    void clientsThatReadGetTheirLongAnswersHoweverManyTheyAre() {
        try (MemoryServer server = server(sending(5 * MIB), 4 * MIB)) {
            List<Reader> readers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                readers.add(new Reader(server));
            }
            readers.forEach(reader -> reader.peer.get(1, "/"));
            for (boolean moved = true; moved; ) {
                moved = false;
                for (Reader reader : readers) {
                    moved |= reader.read();
                }
                server.pass(Duration.ofMillis(100));
            }
            assertThat(readers.stream().mapToLong(reader -> reader.taken)).containsOnly(5L * MIB);
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isZero();
        }
    }

    /// They are all there before the first of them is sent.
    @Test
    void longAnswersOfManyTasksAtOnceEndNoClientThatReads() {
        Handler answers = sending(MIB);
        Handler waits = x -> x.run(ExecutorKind.BLOCKING, () -> answers);
        try (MemoryServer server = server(waits, MIB)) {
            List<Http2Peer> peers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                peers.add(peer(server, WIDE_WINDOW));
            }
            peers.forEach(peer -> peer.get(1, "/"));
            server.run();
            server.work();
            assertThat(peers).allMatch(peer -> peer.read().contains("DATA 1 "));
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isZero();
        }
    }

    @Test
    void streamsWithoutAWindowHoldNoMoreThanTheLimit() {
        flood(NO_WINDOW);
    }

    /// Each connection takes 64 KiB, which is the first window.
    @Test
    void streamsWhoseClientTakesOnlyTheFirstWindowHoldNoMoreThanTheLimit() {
        flood("");
    }

    /// A client that reads is there meanwhile. One turn serves the 100 requests of a connection, so their
    /// answers may be more than the limit.
    private void flood(String settings) {
        byte[] content = new byte[FLOODED];
        Handler counting =
                x -> {
                    unreleased++;
                    send(x, content, () -> unreleased--);
                };
        try (MemoryServer server = server(choosing(sending(5 * MIB), counting), 4 * MIB)) {
            Reader reader = new Reader(server);
            reader.peer.get(1, "/");
            for (int i = 0; i < 200; i++) {
                Http2Peer bad = new Http2Peer(new MemoryWire(server)).begin();
                bad.frame(Http2Peer.SETTINGS, 0, 0, settings);
                for (int stream = 1; stream < 200; stream += 2) {
                    bad.get(stream, "/long");
                }
                server.run();
                assertThat(server.held()).isLessThanOrEqualTo(4 * MIB);
                assertThat(unreleased * FLOODED).isLessThanOrEqualTo(8 * MIB);
                reader.read();
            }
            assertThat(server.count(Counter.CONNECTIONS_PREEMPTED)).isGreaterThan(190);
            assertThat(reader.taken).isEqualTo(5 * MIB);
        }
    }

    @Test
    void answerCountsAgainAfterItsClientHasTakenNothingForSomeSeconds() {
        try (MemoryServer server = server(sending(MIB), 64 * MIB)) {
            Http2Peer peer = peer(server, WIDE_WINDOW);
            long before = server.held();
            peer.get(1, "/").read();
            server.pass(Duration.ofSeconds(2));
            open(peer, 0, 16 << 10); // so its pace allows the pause that follows
            peer.read();
            assertThat(server.held() - before).isLessThan(4_000);
            server.pass(Duration.ofSeconds(15));
            assertThat(server.held() - before).isBetween(COUNTED / 2L, COUNTED + 4_000L);
            open(peer, 0, 16 << 10);
            peer.read();
            assertThat(server.held() - before).isLessThan(4_000);
        }
    }

    @Test
    void answerCountsAgainAfterItsClientHasNotReadItsSocketForSomeSeconds() {
        try (MemoryServer server = server(sending(MIB), 64 * MIB)) {
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = peer(wire, WIDE_WINDOW);
            open(peer, 0, MIB);
            peer.get(1, "/");
            server.run();
            long before = server.held();
            server.pass(Duration.ofSeconds(15));
            assertThat(wire.peer().isClosed()).isFalse();
            assertThat(server.held() - before).isBetween(COUNTED / 2L, (long) COUNTED);
        }
    }

    @Test
    void clientThatWasIdleCountsAsOneThatReadsFromItsFirstBytesOn() {
        Handler handler = choosing(x -> Answers.say(x, "hello"), sending(MIB));
        try (MemoryServer server = server(handler, 64 * MIB)) {
            Http2Peer peer = peer(server, WIDE_WINDOW).get(1, "/");
            peer.read();
            server.pass(Duration.ofSeconds(60));
            long before = server.held();
            assertThat(peer.get(3, "/large").read()).contains("DATA 3 ");
            assertThat(server.held() - before).isLessThan(4_000);
        }
    }

    /// The connection's window is used up, long ago.
    @Test
    void contentThatIsAddedWhileTheStreamWaitsForItsClientCounts() {
        List<Exchange> held = new ArrayList<>();
        Handler handler = choosing(sending(65_535), Answers.holding(held));
        try (MemoryServer server = server(handler, 64 * MIB)) {
            Http2Peer peer = peer(server, WIDE_WINDOW).get(1, "/");
            peer.read();
            server.pass(Duration.ofSeconds(60));
            peer.get(3, "/held").read();
            Exchange x = held.getFirst();
            x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 2 * MIB));
            write(x, 10);
            peer.read();
            long before = server.held();
            write(x, MIB);
            server.run();
            assertThat(server.held() - before).isEqualTo(COUNTED - 10);
        }
    }

    @Test
    void contentThatItsClientHasTakenCountsNoMoreWhileTheResponseGoesOn() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held), 64 * MIB)) {
            Http2Peer peer = peer(server, WIDE_WINDOW).get(1, "/");
            peer.read();
            long before = server.held();
            Exchange x = held.getFirst();
            x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, 2 * MIB));
            write(x, 60_000);
            peer.read();
            server.pass(Duration.ofSeconds(30));
            peer.frame(Http2Peer.PING, 0, 0, "0000000000000000").read();
            assertThat(server.held() - before).isLessThan(4_000);
        }
    }

    private static void write(Exchange x, int bytes) {
        x.response().write(new Body.Bytes(ByteBuffer.allocate(bytes), null));
    }

    @Test
    void answerThatEndsBecauseItsClientStallsCountsNoMore() {
        try (MemoryServer server = server(sending(MIB), 64 * MIB)) {
            Http2Peer peer = peer(server, NO_WINDOW);
            long before = server.held();
            peer.get(1, "/").read();
            assertThat(server.held() - before).isGreaterThanOrEqualTo(COUNTED);
            server.pass(Duration.ofSeconds(40));
            assertThat(peer.answers()).contains("RST_STREAM 1 ");
            assertThat(server.held() - before).isLessThan(4_000);
        }
    }
}
