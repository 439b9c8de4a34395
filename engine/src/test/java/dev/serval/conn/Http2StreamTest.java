package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.codec.CodecKey;
import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.MountSettings;
import dev.serval.http.Fields;
import dev.serval.http.FieldsWriter;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.route.RouteTable;
import dev.serval.route.Router;
import dev.serval.testkit.Http2Peer;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Checks what one stream of HTTP/2 owes to its exchange: deadlines and rates of its mount, and an
/// object that code of an earlier exchange cannot reach.
final class Http2StreamTest {
    private static final String NO_WINDOW = "000400000000";
    private static final int WINDOW = 65_535;
    private static final int RATE = 300; // bytes a second: a little more than the limit

    private final List<Exchange> held = new ArrayList<>();

    private static MemoryServer server(Handler handler, Limits limits) {
        return MemoryServer.of(handler, limits, new Http(Leniency.defaults()));
    }

    private static Handler mounted(MountSettings settings, Handler handler) {
        return new Router(
                RouteTable.builder()
                        .mount(RouteTable.DEFAULT_HOST, "/", settings, handler)
                        .build());
    }

    private static Http2Peer peer(MemoryServer server) {
        Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
        peer.frame(Http2Peer.SETTINGS, 0, 0, NO_WINDOW);
        open(peer, 0, 1 << 20);
        peer.read();
        return peer;
    }

    private static void open(Http2Peer peer, int stream, int bytes) {
        peer.frame(Http2Peer.WINDOW_UPDATE, 0, stream, "%08x".formatted(bytes));
    }

    /// Opens the window of stream 1 a little each second.
    ///
    /// @return the frames that arrived
    private static String opened(MemoryServer server, Http2Peer peer, int seconds) {
        StringBuilder frames = new StringBuilder();
        for (int second = 0; second < seconds; second++) {
            open(peer, 1, RATE);
            frames.append(peer.answers());
            server.pass(Duration.ofSeconds(1));
        }
        return frames.append(peer.answers()).toString();
    }

    @Test
    void requestHasTheTimeOfItsMount() {
        MountSettings brief =
                MountSettings.NONE.with(draft -> draft.exchangeNanos = 2_000_000_000L);
        Handler handler = mounted(brief, Answers.holding(held));
        try (MemoryServer server = server(handler, Limits.DEFAULT)) {
            Http2Peer peer = peer(server).get(1, "/");
            peer.read();
            server.pass(Duration.ofMillis(1_900));
            assertThat(peer.answers()).isEmpty();
            server.pass(Duration.ofMillis(200));
            assertThat(peer.answers()).startsWith("HEADERS 1 :status=503 ");
            assertThat(server.count(Counter.EXCHANGE_TIMEOUTS)).isEqualTo(1);
        }
    }

    @Test
    void readerMustKeepTheRateOfItsMount() {
        MountSettings fast = MountSettings.NONE.with(draft -> draft.minBytesPerSecond = 10_000);
        for (boolean own : new boolean[] {true, false}) {
            Handler handler =
                    mounted(
                            own ? fast : MountSettings.NONE,
                            x -> Answers.say(x, "x".repeat(60_000)));
            try (MemoryServer server = server(handler, Limits.DEFAULT)) {
                Http2Peer peer = peer(server).get(1, "/");
                String frames = opened(server, peer, 40);
                assertThat(frames.contains("RST_STREAM 1 CANCEL")).isEqualTo(own);
                assertThat(server.count(Counter.SLOW_READERS)).isEqualTo(own ? 1 : 0);
            }
        }
    }

    /// The handler waits for content at first. Then it only writes, while unread content fills the
    /// window of the connection.
    @Test
    void usedUpWindowIsNoWaitOfAHandlerThatDoesNotRead() {
        Limits limits =
                Limits.DEFAULT.with(draft -> {
                    draft.http2.streamWindowBytes = WINDOW;
                    draft.http2.connectionWindowBytes = WINDOW;
                });
        Handler handler =
                x -> {
                    x.content().onReadable(() -> {});
                    x.response()
                            .head(
                                    new ResponseHead(
                                            Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH));
                    x.response().write(Body.Bytes.of(new byte[60_000]));
                    Answers.holding(held).handle(x);
                };
        try (MemoryServer server = server(handler, limits)) {
            Http2Peer peer = peer(server).post(1, "/", "");
            for (int left = WINDOW; left > 0; left -= 13_107) {
                peer.data(1, "x".repeat(13_107), false);
            }
            assertThat(opened(server, peer, 40)).contains("DATA 1 300 ");
            assertThat(held.getFirst().content().read(ByteBuffer.allocate(WINDOW)))
                    .isEqualTo(WINDOW);
            assertThat(opened(server, peer, 40)).doesNotContain("RST_STREAM");
            assertThat(server.count(Counter.SLOW_CONTENT)).isZero();
        }
    }

    /// Its handler may call after it gave up, so the next stream of the connection is another object.
    @Test
    void lateCallOfAHandlerReachesNoOtherStream() {
        try (MemoryServer server = server(Answers.holding(held), Limits.DEFAULT)) {
            Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin().get(1, "/");
            peer.read();
            Exchange late = held.getFirst();
            late.response().abort(Fault.APPLICATION);
            server.run();
            assertThat(peer.answers()).startsWith("HEADERS 1 :status=500 ");
            peer.get(3, "/");
            peer.read();
            Answers.say(late, "late");
            server.run();
            assertThat(peer.answers()).isEmpty();
            Answers.say(held.getLast(), "hello");
            server.run();
            assertThat(peer.answers()).endsWith("DATA 3 5 end hello\n");
        }
    }

    /// A proxy ends with trailers whose memory its next answer uses.
    @Test
    void receivedTrailersThatWaitStayThoseOfTheirResponse() {
        FieldsWriter writer = new FieldsWriter(CodecKey.KEY);
        Handler proxy =
                x -> {
                    byte[] line = Answers.bytes("x-of" + x.request().target().text());
                    writer.reset();
                    writer.mark(null, 0, 4, 4, line.length);
                    writer.adopt(line, 0, line.length);
                    x.response()
                            .head(
                                    new ResponseHead(
                                            Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH));
                    x.response().write(Body.Bytes.of(Answers.bytes("abc")));
                    x.response().end(writer.fields());
                };
        try (MemoryServer server = server(proxy, Limits.DEFAULT)) {
            Http2Peer peer = peer(server).get(1, "/one").get(3, "/two");
            peer.read();
            open(peer, 1, 3);
            assertThat(peer.answers()).isEqualTo("DATA 1 3 abc\nHEADERS 1 end x-of=/one\n");
            open(peer, 3, 3);
            assertThat(peer.answers()).isEqualTo("DATA 3 3 abc\nHEADERS 3 end x-of=/two\n");
        }
    }
}
