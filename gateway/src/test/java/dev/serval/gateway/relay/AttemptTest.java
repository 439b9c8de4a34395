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
import org.junit.jupiter.params.provider.ValueSource;

/// One attempt at a peer, with a protocol of one letter: the question is `?`, `.` completes the
/// answer, `!` breaks the protocol, `*` completes it although the response cannot be ended, `=` is
/// more than the client takes, and `>` hands over to another reply.
final class AttemptTest {
    /// More than a response holds while its client takes nothing.
    private static final int MUCH = 1_000_000;

    private static final Duration ANSWER_TIME = Duration.ofSeconds(3);

    private final List<String> events = new ArrayList<>();
    private final List<Attempt> attempts = new ArrayList<>();
    private boolean fails; // whether writing a question fails
    private boolean exhausted; // whether no memory is left for an answer of the server
    private boolean seeks = true; // whether an attempt looks for a peer at once
    private Pump pump = NoContent.NONE;
    private final PeerPool pool =
            PeerPool.dialOut(
                    "p",
                    PoolLimits.DIAL_OUT.with(draft -> {
                        draft.connectionsMax = 1;
                        draft.answerNanos = ANSWER_TIME.toNanos();
                    }),
                    List.of(
                            new Upstream(
                                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
                                    "up")));

    private GatewayInMemory gateway(Repetition.Rule rule) {
        Handler asks =
                Handler.ofEveryMethod(x -> {
                    Toy toy = new Toy(EngineExchange.of(x), Repetition.first(rule));
                    if (seeks) {
                        toy.attempt.seek();
                    }
                });
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
            assertThat(pool.status().queued()).isZero();
            up.send(".");
            gateway.run();
            assertThat(first.takeText()).startsWith("HTTP/1.1 204 ");
            assertThat(up.takeText()).isEqualTo("?");
        }
    }

    /// The ticket is claimed by the attempt to connect, so it is in no queue.
    @Test
    void clientThatLeavesDuringTheConnectNeverReachesThePeer() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            client.reset();
            gateway.run();
            MemoryPeer up = gateway.accept(0);
            assertThat(events).containsExactly("release");
            assertThat(up.length()).isZero();
            assertThat(up.isClosed()).isFalse();
            MemoryPeer next = asking(gateway, "GET");
            up.send(".");
            gateway.run();
            assertThat(next.takeText()).startsWith("HTTP/1.1 204 ");
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
            gateway.pass(ANSWER_TIME.minusSeconds(1));
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

    @Test
    void clientThatLeavesBeforeAPeerIsSoughtEndsTheAttempt() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            seeks = false;
            MemoryPeer client = asking(gateway, "GET");
            client.reset();
            gateway.run();
            assertThat(events).containsExactly("release");
        }
    }

    @Test
    void refusalTellsWhetherTheRequestHasWaited() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer _ = asking(gateway, "GET");
            MemoryPeer up = gateway.accept(0);
            MemoryPeer _ = asking(gateway, "GET");
            pool.drain();
            gateway.run();
            assertThat(events).containsExactly("granted", "release", "refused after a wait");
            MemoryPeer late = asking(gateway, "GET");
            assertThat(events).endsWith("release", "refused at once");
            assertThat(late.takeText()).startsWith("HTTP/1.1 503 ");
            up.send(".");
            gateway.run();
        }
    }

    @Test
    void failureToEndTheResponseIsAnswered() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer up = gateway.accept(0);
            up.send("*");
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            assertThat(events).containsExactly("granted", "release reply", "release", "lost");
            assertThat(up.isClosed()).isTrue();
            assertThat(pool.open()).isZero();
        }
    }

    /// What peers and deadlines call is none of the exchange's own calls, which would end it.
    @ParameterizedTest
    @ValueSource(strings = {"broken", "lost", "late", "unsent", "refused"})
    void requestIsNeverForgottenIfItsAnswerCannotBeMade(String end) {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            exhausted = true;
            fails = end.equals("unsent");
            MemoryPeer client = asking(gateway, "GET");
            switch (end) {
                case "refused" -> gateway.refuse(0);
                case "lost" -> gateway.accept(0).reset();
                case "broken" -> gateway.accept(0).send("!");
                default -> gateway.accept(0);
            }
            gateway.pass(ANSWER_TIME.plusSeconds(1));
            assertThat(client.takeText()).startsWith("HTTP/1.1 500 ");
            assertThat(pool.open()).isZero();
        }
    }

    private void exhaust() {
        if (exhausted) {
            throw new OutOfMemoryError("The test leaves no memory");
        }
    }

    @Test
    void replyThatHandsOverIsReleased() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer _ = asking(gateway, "GET");
            MemoryPeer up = gateway.accept(0);
            up.send(">");
            gateway.run();
            assertThat(events).containsExactly("granted", "release reply");
            up.send(".");
            gateway.run();
            assertThat(events).endsWith("end", "release reply", "release").hasSize(5);
        }
    }

    @Test
    void pausedAttemptReadsAgainWhenTheClientTakesMore() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer up = paused(gateway, client);
            up.send(".");
            gateway.run();
            assertThat(events).containsExactly("granted");
            client.window(Integer.MAX_VALUE);
            gateway.run();
            assertThat(events)
                    .containsExactly("granted", "resumed", "end", "release reply", "release");
        }
    }

    /// Some systems report the end of a socket also while no read is wanted.
    @Test
    void pausedAttemptReadsNothingThatIsReported() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer up = paused(gateway, client);
            up.send(".");
            attempts.getLast().readable();
            assertThat(events).containsExactly("granted");
            assertThat(up.unread()).isOne();
        }
    }

    @Test
    void attemptThatReadsAgainByItselfIsNotResumedByTheClient() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer _ = paused(gateway, client);
            attempts.getLast().resume();
            client.window(Integer.MAX_VALUE);
            gateway.run();
            assertThat(events).containsExactly("granted");
        }
    }

    @Test
    void pausedAttemptHearsThatTheClientIsSlow() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer _ = paused(gateway, client);
            gateway.pass(ANSWER_TIME.plusSeconds(1));
            assertThat(events).containsExactly("granted", "slow");
        }
    }

    @Test
    void pausedAttemptHearsThatTheClientHasLeft() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer up = paused(gateway, client);
            client.reset();
            gateway.run();
            assertThat(events).containsExactly("granted", "left", "release reply", "release");
            assertThat(up.isClosed()).isTrue();
        }
    }

    @Test
    void pausedAttemptHearsThatThePeerIsLost() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            MemoryPeer client = asking(gateway, "GET");
            MemoryPeer up = paused(gateway, client);
            up.reset();
            gateway.run();
            client.window(Integer.MAX_VALUE);
            gateway.run();
            assertThat(events).endsWith("release reply", "release", "lost");
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void deadlineIsTheClientsWhileThePumpWaitsForIt() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            pump = new Unsent();
            MemoryPeer client = asking(gateway, "PUT");
            MemoryPeer up = gateway.accept(0);
            gateway.pass(ANSWER_TIME.plusSeconds(1));
            assertThat(events).containsExactly("granted", "slow");
            up.send("!");
            gateway.run();
            assertThat(events).endsWith("stop", "release reply", "release");
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
        }
    }

    @Test
    void peerWithUnsentContentIsNotUsedAgain() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.NEVER)) {
            pump = new Unsent();
            MemoryPeer client = asking(gateway, "PUT");
            MemoryPeer up = gateway.accept(0);
            up.send(".");
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 204 ");
            assertThat(up.isClosed()).isTrue();
        }
    }

    @Test
    void requestWithContentIsNotRepeated() {
        try (GatewayInMemory gateway = gateway(Repetition.Rule.OTHER_UPSTREAM)) {
            pump = new Unsent();
            MemoryPeer client = asking(gateway, "PUT");
            gateway.accept(0).reset();
            gateway.run();
            assertThat(client.takeText()).startsWith("HTTP/1.1 502 ");
            assertThat(events)
                    .containsExactly("granted", "stop", "release reply", "release", "lost");
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

    private static MemoryPeer paused(GatewayInMemory gateway, MemoryPeer client) {
        client.window(0);
        MemoryPeer up = gateway.accept(0);
        up.send("=");
        gateway.run();
        return up;
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
            attempt.sends(pump, new Reader(x, attempt));
        }

        @Override
        public void refused(Refusal why, boolean waited) {
            exhaust();
            events.add("refused " + (waited ? "after a wait" : "at once"));
            x.refuse(Status.SERVICE_UNAVAILABLE, Fields.EMPTY, "none");
        }

        @Override
        public void unsent() {
            exhaust();
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
        private boolean begun;
        private boolean cannotEnd;

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
                take((char) letter);
            }
        }

        private void take(char letter) {
            switch (letter) {
                case '.' -> attempt.complete(true);
                case '*' -> {
                    cannotEnd = true;
                    attempt.complete(true);
                }
                case '=' -> {
                    begun = true;
                    x.response()
                            .head(
                                    new ResponseHead(
                                            Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH));
                    x.response().write(Body.Bytes.of(new byte[MUCH]));
                    attempt.pause();
                }
                case '>' -> attempt.becomes(new Reader(x, attempt));
                default -> {
                    attempt.fail(PeerFault.MALFORMED);
                    exhaust();
                    x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, "broken");
                }
            }
        }

        @Override
        public void resumed() {
            events.add("resumed");
            readable();
        }

        @Override
        public void clientIsSlow() {
            events.add("slow");
            attempt.moveDeadline();
        }

        @Override
        public void late() {
            events.add("late");
            attempt.fail(PeerFault.LATE);
            exhaust();
            x.refuse(Status.GATEWAY_TIMEOUT, Fields.EMPTY, "late");
        }

        @Override
        public void clientLeft() {
            events.add("left");
            attempt.fail(PeerFault.ABANDONED);
        }

        @Override
        public boolean hasBegun() {
            return begun;
        }

        @Override
        public void endResponse() {
            if (cannotEnd) {
                throw new IllegalStateException("The test lets the end fail");
            }
            events.add("end");
            if (begun) {
                x.response().end(Fields.EMPTY);
            } else {
                ResponseHead head = new ResponseHead(Status.NO_CONTENT, Fields.EMPTY, 0);
                x.response().send(head, Body.Empty.EMPTY);
            }
        }

        @Override
        public void lost(boolean afterHead) {
            exhaust();
            events.add("lost");
            x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, "lost");
        }

        @Override
        public void release() {
            events.add("release reply");
        }
    }

    /// A pump that waits for content which never comes.
    private final class Unsent implements Pump {
        @Override
        public void start() {}

        @Override
        public void drained() {}

        @Override
        public void stop() {
            events.add("stop");
        }

        @Override
        public boolean isSent() {
            return false;
        }

        @Override
        public boolean waitsForClient() {
            return true;
        }
    }
}
