package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.policy.Counter;
import dev.serval.policy.Http2Limits;
import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import dev.serval.testkit.Http2Peer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Checks the PING that asks silent clients, and the other settings of HTTP/2.
final class Http2SettingsTest {
    private static final String PING = "53657276616c0002";
    private static final Duration ALMOST_A_MINUTE = Duration.ofSeconds(59);
    private static final Duration TWO_SECONDS = Duration.ofSeconds(2);

    private static MemoryServer server(Handler handler, Consumer<Http2Limits.Draft> change) {
        Limits limits = Limits.DEFAULT.with(draft -> change.accept(draft.http2));
        return MemoryServer.of(handler, limits, new Http(Leniency.defaults()));
    }

    private static MemoryServer holding(List<Exchange> held) {
        return server(Answers.holding(held), _ -> {});
    }

    private static Http2Peer peer(MemoryServer server) {
        Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin().get(1, "/");
        peer.read();
        return peer;
    }

    private static String hello(int stream) {
        return "HEADERS %d :status=200 content-length=5\nDATA %d 5 end hello\n"
                .formatted(stream, stream);
    }

    @Test
    void silentClientIsAskedEachMinute() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = holding(held)) {
            Http2Peer peer = peer(server);
            for (int i = 0; i < 3; i++) {
                server.pass(ALMOST_A_MINUTE);
                assertThat(peer.answers()).isEmpty();
                server.pass(TWO_SECONDS);
                assertThat(peer.answers()).isEqualTo("PING " + PING + "\n");
                peer.frame(Http2Peer.PING, Http2Peer.ACK, 0, PING);
                assertThat(peer.answers()).isEmpty();
            }
            Answers.say(held.getFirst(), "hello");
            server.run();
            assertThat(peer.answers()).isEqualTo(hello(1));
        }
    }

    @Test
    void clientThatDoesNotAnswerIsGone() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = holding(held)) {
            Http2Peer peer = peer(server);
            server.pass(Duration.ofSeconds(61));
            assertThat(peer.answers()).isEqualTo("PING " + PING + "\n");
            server.pass(Duration.ofSeconds(28));
            assertThat(peer.answers()).isEmpty();
            server.pass(TWO_SECONDS);
            assertThat(peer.answers()).isEqualTo("RESET\n");
            assertThat(server.count(Counter.PING_TIMEOUTS)).isEqualTo(1);
            assertThat(server.count(Counter.PEERS_GONE)).isEqualTo(1);
        }
    }

    @Test
    void everyFrameIsASignOfLife() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = holding(held)) {
            Http2Peer peer = peer(server);
            server.pass(ALMOST_A_MINUTE);
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00000001");
            server.pass(ALMOST_A_MINUTE);
            assertThat(peer.answers()).isEmpty();
            server.pass(TWO_SECONDS);
            assertThat(peer.answers()).isEqualTo("PING " + PING + "\n");
            peer.frame(Http2Peer.WINDOW_UPDATE, 0, 0, "00000001");
            server.pass(ALMOST_A_MINUTE);
            assertThat(peer.answers()).isEmpty();
        }
    }

    @Test
    void clientIsNotAskedWithoutATime() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = server(Answers.holding(held), draft -> draft.pingNanos = 0)) {
            Http2Peer peer = peer(server);
            server.pass(Duration.ofMinutes(5));
            assertThat(peer.answers()).isEmpty();
        }
    }

    /// It cannot answer. If it is gone, its system answers with a reset.
    @Test
    void clientThatHasEndedItsInputNeedNotAnswer() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = holding(held)) {
            Http2Peer peer = peer(server);
            peer.end();
            server.pass(Duration.ofSeconds(150));
            assertThat(peer.answers()).isEqualTo(("PING " + PING + "\n").repeat(2));
            Answers.say(held.getFirst(), "hello");
            server.run();
            assertThat(peer.answers()).isEqualTo(hello(1) + "END\n");
        }
    }

    @Test
    void clientThatLeavesIsAskedToo() {
        List<Exchange> held = new ArrayList<>();
        try (MemoryServer server = holding(held)) {
            Http2Peer peer = peer(server).frame(Http2Peer.GOAWAY, 0, 0, "0000000000000000");
            peer.read();
            server.pass(Duration.ofSeconds(61));
            assertThat(peer.answers()).isEqualTo("PING " + PING + "\n");
            server.pass(Duration.ofSeconds(31));
            assertThat(peer.answers()).isEqualTo("RESET\n");
        }
    }

    @Test
    void contentIsSentInFramesOfThatSize() {
        try (MemoryServer server = server(Answers.greeting(), draft -> draft.frameMaxBytes = 2)) {
            Http2Peer peer = new Http2Peer(new MemoryWire(server)).begin().get(1, "/");
            assertThat(peer.answers()).endsWith("DATA 1 2 he\nDATA 1 2 ll\nDATA 1 1 end o\n");
        }
    }

    @Test
    void prefaceIsRefusedIfHttp2IsOff() {
        try (MemoryServer server = server(Answers.greeting(), draft -> draft.enabled = false)) {
            assertThat(server.ask(server.connect(), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
                    .startsWith("HTTP/1.1 505 ");
            assertThat(server.ask(server.connect(), Answers.GET)).startsWith("HTTP/1.1 200 ");
        }
    }

    @Test
    void framesAndWindowsHaveBounds() {
        for (int bytes : new int[] {0, 16_385}) {
            assertThatThrownBy(() -> Http2Limits.DEFAULT.with(draft -> draft.frameMaxBytes = bytes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("16,384");
        }
        assertThat(Http2Limits.DEFAULT.with(draft -> draft.frameMaxBytes = 16_384))
                .isEqualTo(Http2Limits.DEFAULT);
        assertThatThrownBy(
                        () -> Http2Limits.DEFAULT.with(draft -> draft.streamWindowBytes = 65_534))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() ->
                        Http2Limits.DEFAULT.with(draft -> draft.connectionWindowBytes = 65_534))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
