package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Checks how the windows for content grow with the need, within the memory of the connections.
final class Http2WindowTest {
    private static final int FRAME = 16_384;
    private static final byte[] CONTENT = new byte[FRAME];
    private static final String PIECE = "x".repeat(FRAME);

    private static MemoryServer server(Handler handler, Limits limits) {
        return MemoryServer.of(handler, limits, new Http(Leniency.defaults()));
    }

    private static Http2Peer peer(MemoryServer server) {
        Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin();
        peer.read();
        return peer;
    }

    private static long count(String lines, String what) {
        return lines.lines().filter(line -> line.startsWith(what)).count();
    }

    /// Returns the bytes that the windows grant.
    private static long granted(String lines, int stream) {
        String start = "WINDOW_UPDATE " + stream + " ";
        return lines.lines()
                .filter(line -> line.startsWith(start))
                .mapToLong(line -> Long.parseLong(line.substring(start.length())))
                .sum();
    }

    @Test
    void uploadNeedsFewWindowUpdates() {
        List<String> seen = new ArrayList<>();
        try (MemoryServer server = server(Answers.counting(seen), Limits.DEFAULT)) {
            Http2Peer peer = peer(server).post(1, "/", "");
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < 64; i++) {
                lines.append(peer.data(1, PIECE, i == 63).read());
            }
            assertThat(seen).containsExactly("END 1048576");
            assertThat(count(lines.toString(), "WINDOW_UPDATE 1 ")).isBetween(1L, 8L);
            assertThat(count(lines.toString(), "WINDOW_UPDATE 0 ")).isBetween(1L, 6L);
        }
    }

    @Test
    void windowsGrowToTheirLimit() {
        List<String> seen = new ArrayList<>();
        try (MemoryServer server = server(Answers.counting(seen), Limits.DEFAULT)) {
            Http2Peer peer = peer(server).post(1, "/", "");
            StringBuilder lines = new StringBuilder();
            int frames = 500;
            for (int i = 0; i < frames; i++) {
                lines.append(peer.data(1, PIECE, false).read());
            }
            long sent = (long) frames * FRAME;
            long ofStream = (64 << 10) + granted(lines.toString(), 1) - sent;
            long ofAll = (256 << 10) + granted(lines.toString(), 0) - sent;
            assertThat(ofStream).isBetween((3L << 20) / 4, 1L << 20);
            assertThat(ofAll).isBetween((6L << 20) / 4, 2L << 20);
        }
    }

    /// What waits for its handler stays within the first window.
    @Test
    void windowOfASlowHandlerDoesNotGrow() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held), Limits.DEFAULT)) {
            Http2Peer peer = peer(server).post(1, "/", "");
            for (int i = 0; i < 4; i++) {
                peer.data(1, PIECE, false);
            }
            assertThat(peer.read()).isEmpty();
            int read = held.getFirst().content().read(ByteBuffer.allocate(FRAME));
            server.run();
            assertThat(granted(peer.read(), 1)).isEqualTo(read).isEqualTo(FRAME);
            assertThat(peer.data(1, PIECE, false).data(1, "y", false).answers())
                    .isEqualTo("RST_STREAM 1 FLOW_CONTROL_ERROR\n");
        }
    }

    /// 100 responses of 16 MB to a client that opens all windows and reads nothing.
    @Test
    void responsesToASlowReaderWaitInTheirHandlers() {
        long size = 16L << 20;
        long[] written = {0};
        Handler large =
                x -> {
                    if (x.request().target().text().equals("/small")) {
                        Answers.say(x, "small");
                        return;
                    }
                    x.response().head(new ResponseHead(Status.OK, Fields.EMPTY, size));
                    write(x, written);
                };
        try (MemoryServer server = server(large, Limits.DEFAULT)) {
            MemoryWire wire = new MemoryWire(server);
            Http2Peer peer = new Http2Peer(wire).begin();
            peer.frame(Http2Peer.SETTINGS, 0, 0, "00047fffffff");
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "7fff0000");
            for (int i = 0; i < 100; i++) {
                peer.get(1 + 2 * i, "/");
            }
            server.run();
            int unsentMaxBytes = Limits.DEFAULT.buffers().unsentMaxBytes();
            assertThat(written[0]).isLessThanOrEqualTo(100L * (unsentMaxBytes + FRAME));
            assertThat(server.held())
                    .isBetween(100L * unsentMaxBytes / 2, 100L * (unsentMaxBytes + 2 * FRAME));
            assertThat(peer(server).get(1, "/small").answers()).contains("5 end small");
        }
    }

    private static void write(Exchange x, long[] written) {
        long room = 1;
        while (room > 0) {
            room = x.response().write(Body.Bytes.of(CONTENT));
            written[0] += FRAME;
        }
        x.response().onWritable(() -> write(x, written));
    }

    /// Content for a stream that is over needs no memory, so it uses up no window of the others.
    @Test
    void lateContentUsesUpNoWindow() {
        Limits limits = Limits.DEFAULT.with(draft -> draft.pace.lingerNanos = 0);
        try (MemoryServer server = server(Answers.greeting(), limits)) {
            Http2Peer peer = peer(server).post(1, "/", "");
            assertThat(peer.answers()).endsWith("RST_STREAM 1 NO_ERROR\n");
            for (int i = 0; i < 40; i++) {
                peer.data(1, PIECE, false);
                assertThat(peer.answers()).isEmpty();
            }
        }
    }

    /// Likewise content past the window of its stream.
    @Test
    void contentPastItsWindowUsesUpNoOther() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held), Limits.DEFAULT)) {
            Http2Peer peer = peer(server);
            for (int stream = 1; stream < 200; stream += 2) {
                peer.post(stream, "/", "");
                for (int i = 0; i < 5; i++) {
                    peer.data(stream, PIECE, false);
                }
                assertThat(peer.answers())
                        .isEqualTo("RST_STREAM " + stream + " FLOW_CONTROL_ERROR\n");
            }
        }
    }

    /// With half of the memory in use, windows stay as they are at first.
    @Test
    void windowsDoNotGrowWhileMemoryIsShort() {
        List<Exchange> held = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        Limits limits = Limits.DEFAULT.with(draft -> draft.buffers.heldMaxBytes = 200_000);
        Handler handler =
                x -> {
                    if (x.request().target().text().equals("/held")) {
                        Answers.holding(held).handle(x);
                    } else {
                        Answers.counting(seen).handle(x);
                    }
                };
        try (MemoryServer server = server(handler, limits)) {
            Http2Peer peer = peer(server).post(1, "/held", "").post(3, "/held", "");
            for (int i = 0; i < 4; i++) {
                peer.data(1, PIECE, false).data(3, PIECE, false);
            }
            assertThat(peer.read()).isEmpty();
            assertThat(server.held()).isGreaterThan(100_000);
            peer.post(5, "/", "");
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < 20; i++) {
                lines.append(peer.data(5, PIECE, false).read());
            }
            assertThat(granted(lines.toString(), 5)).isEqualTo(20 * FRAME);
        }
    }
}
