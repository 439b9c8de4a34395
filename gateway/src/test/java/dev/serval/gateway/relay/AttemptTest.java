package dev.serval.gateway.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.lrwp.GatewayInMemory;
import dev.serval.gateway.lrwp.LrwpAgent;
import dev.serval.gateway.lrwp.LrwpSettings;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PeerPool;
import dev.serval.gateway.peer.PoolLimits;
import dev.serval.gateway.peer.Refusal;
import dev.serval.gateway.peer.Upstream;
import dev.serval.handler.Body;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.Input;
import dev.serval.net.memory.MemoryPeer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// One attempt at a peer, with a protocol of one letter: the question is `?`, `.` completes the
/// answer, and `!` breaks the protocol.
final class AttemptTest {
    private final List<String> events = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private boolean fails; // whether writing a question fails
    private final PeerPool pool =
            PeerPool.dialOut(
                    "p",
                    PoolLimits.DIAL_OUT.with(draft -> {
                        draft.connectionsMax = 1;
                        draft.answerNanos = Duration.ofSeconds(10).toNanos();
                    }),
                    List.of(
                            new Upstream(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                                    "up")));

    private GatewayInMemory gateway(Repetition.Rule rule) {
        Handler asks =
                Handler.ofEveryMethod(
                        x -> new Toy(EngineExchange.of(x), Repetition.first(rule)).attempt.seek());
        return new GatewayInMemory(1, new LrwpAgent(LrwpSettings.DEFAULT), asks);
    }

    @Test
    void completeAnswerEndsTheAttemptOnce() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer up = gateway.accept(0);
            up.send(".");
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 204 ");
            assertThat(events).containsExactly("granted", "end", "release reply", "release");
            assertThat(pool.status().served()).isEqualTo(1);
        }
    }

    @Test
    void brokenAnswerClosesThePeer() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer up = gateway.accept(0);
            up.send("!");
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            assertThat(events).containsExactly("granted", "release reply", "release");
            assertThat(up.isClosed()).isTrue();
            assertThat(pool.status().failed()).containsEntry(PeerFault.MALFORMED, 1L);
        }
    }

    @Test
    void attemptThatIsOverCannotEndAgain() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer up = gateway.accept(0);
            up.send(".");
            gateway.run();
            client.clear();
            Attempt ended = attempts.getLast();
            assertThatThrownBy(() -> ended.finish(true))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("OVER");
            assertThat(pool.status().served()).isEqualTo(1);
        }
    }

    @Test
    void clientThatLeavesWhileWaitingNeverReachesThePeer() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer first = asking(gateway, "GET");
            MemoryPeer up = gateway.accept(0);
            MemoryPeer second = asking(gateway, "GET");
            second.reset();
            gateway.run();
            assertThat(events).containsExactly("granted", "release");
            up.send(".");
            gateway.run();
            assertThat(first.takeText()).startsWith("HTTP/1.1 204 ");
            assertThat(up.takeText()).isEqualTo("?");
        }
    }

    @Test
    void clientThatLeavesAtThePeerIsTheReplysMatter() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer up = gateway.accept(0);
            client.reset();
            gateway.run();
            assertThat(events).containsExactly("granted", "left", "release reply", "release");
            assertThat(up.isClosed()).isTrue();
        }
    }

    @Test
    void deadlineIsTheReplysMatter() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer _ = gateway.accept(0);
            gateway.pass(Duration.ofSeconds(9));
            assertThat(events).containsExactly("granted");
            gateway.pass(Duration.ofSeconds(2));
            assertThat(events).containsExactly("granted", "late", "release reply", "release");
            assertThat(client.takeText()).startsWith("HTTP/1.1 504 ");
        }
    }

    @Test
    void requestThatCannotBeWrittenIsReleased() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.OTHER_UPSTREAM)) {
            fails = true;
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer _ = gateway.accept(0);
            assertThat(events).containsExactly("granted", "release", "unsent");
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
        }
    }

    /// A connection that was opened for the request has not served any.
    @ParameterizedTest
    @CsvSource({
        "NEVER,           GET,  1",
        "KEPT_CONNECTION, GET,  1",
        "OTHER_UPSTREAM,  GET,  3",
        "OTHER_UPSTREAM,  POST, 1"
    })
    void lossIsRepeatedByTheRule(Repetition.Rule rule, String method, int attempts) {
        try (GatewayInMemory gateway = gateway(rule)) {
            MemoryPeer client = asking(gateway, method);
            for (int i = 0; i < attempts; i++) {
                assertThat(client.length()).isZero();
                gateway.accept(0).reset();
                gateway.run();
            }
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            assertThat(events).filteredOn("granted"::equals).hasSize(attempts);
            assertThat(events).filteredOn("release"::equals).hasSize(attempts);
        }
    }

    private MemoryPeer asking(GatewayInMemory gateway, String method) {
        MemoryPeer client = gateway.client(0);
        client.send(method + " / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
        gateway.run();
        return client;
    }

    /// The question of the toy protocol.
    private final class Toy implements Question {
        private final EngineExchange x;
        private final Attempt attempt;

        Toy(EngineExchange x, Repetition repetition) {
            this.x = x;
            this.attempt = new Attempt(pool, x, this, repetition);
            attempts.add(attempt);
        }

        @Override
        public void granted(Peer peer) {
            events.add("granted");
            if (fails) {
                throw new IllegalStateException("The test lets writing fail");
            }
            peer.connection().out().write(ByteBuffer.wrap(new byte[] {'?'}), null);
            attempt.sends(NoContent.NONE, new Reader(x, attempt));
        }

        @Override
        public void refused(Refusal why, boolean waited) {
            x.refuse(Status.SERVICE_UNAVAILABLE, Fields.EMPTY, "none");
        }

        @Override
        public void unsent() {
            events.add("unsent");
            x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, "unsent");
        }

        @Override
        public void repeat(Repetition next) {
            new Toy(x, next).attempt.seek();
        }

        @Override
        public void release() {
            events.add("release");
        }
    }

    /// The reply of the toy protocol.
    private final class Reader implements Reply {
        private final EngineExchange x;
        private final Attempt attempt;

        Reader(EngineExchange x, Attempt attempt) {
            this.x = x;
            this.attempt = attempt;
        }

        @Override
        public void readable() {
            int n = attempt.fill();
            if (n == Input.END) {
                attempt.brokenOff();
            } else if (n > 0) {
                Input in = attempt.peer().connection().in();
                byte letter = in.array()[in.from()];
                in.consume(n);
                if (letter == '.') {
                    attempt.complete(true);
                } else {
                    attempt.fail(PeerFault.MALFORMED);
                    x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, "broken");
                }
            }
        }

        @Override
        public void resumed() {}

        @Override
        public void clientIsSlow() {}

        @Override
        public void late() {
            events.add("late");
            attempt.fail(PeerFault.LATE);
            x.refuse(Status.GATEWAY_TIMEOUT, Fields.EMPTY, "late");
        }

        @Override
        public void clientLeft() {
            events.add("left");
            attempt.fail(PeerFault.ABANDONED);
        }

        @Override
        public boolean hasBegun() {
            return false;
        }

        @Override
        public void endResponse() {
            events.add("end");
            x.response()
                    .send(new ResponseHead(Status.NO_CONTENT, Fields.EMPTY, 0), Body.Empty.EMPTY);
        }

        @Override
        public void lost(boolean begun) {
            x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, "lost");
        }

        @Override
        public void release() {
            events.add("release reply");
        }
    }
}
