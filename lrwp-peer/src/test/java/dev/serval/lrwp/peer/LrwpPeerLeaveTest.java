package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.lrwp.peer.ScriptedAgent.Line;
import dev.serval.testkit.Await;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a peer that leaves does with a connection that is neither idle nor busy for certain.
@Timeout(60)
final class LrwpPeerLeaveTest {
    /// Longer than any test takes, so that no timeout ends what `leave` should have ended.
    private static final Duration LONG = Duration.ofDays(1);

    private final CountDownLatch proceed = new CountDownLatch(1);
    private ScriptedAgent agent;

    @BeforeEach
    void listen() throws IOException {
        agent = new ScriptedAgent();
    }

    @AfterEach
    void close() throws IOException {
        agent.close();
    }

    private LrwpPeer peer(Surroundings.Connector connector) {
        return peer(connector, _ -> LrwpResponse.text("done"));
    }

    private LrwpPeer peer(Surroundings.Connector connector, LrwpHandler handler) {
        Surroundings real = Surroundings.real();
        int millis = (int) LONG.toMillis();
        return LrwpPeer.builder(
                        new Surroundings(connector, real.nanoTime(), real.random(), real.pause()))
                .agent("127.0.0.1", agent.port())
                .register("app")
                .limits(
                        PeerLimits.STANDARD.with(draft -> {
                            draft.connectTimeoutMillis = millis;
                            draft.handshakeTimeoutMillis = millis;
                            draft.readTimeoutMillis = millis;
                        }))
                .handler(handler)
                .start();
    }

    /// Starts to close the peer, and returns after it has told its connections to leave.
    private static Thread leaving(LrwpPeer peer) {
        Thread closing = Thread.ofPlatform().daemon().start(() -> peer.close(LONG));
        Await.until(
                "the close waits or has ended",
                () ->
                        closing.getState() == Thread.State.TIMED_WAITING
                                || closing.getState() == Thread.State.TERMINATED);
        return closing;
    }

    /// A socket whose input waits before each read but the first, which is that of the
    /// registration.
    private final class HeldSocket extends Socket {
        private final CountDownLatch reading = new CountDownLatch(1);
        private boolean registered;

        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] into, int from, int length) throws IOException {
                    if (registered) {
                        reading.countDown();
                        Await.open("the read may proceed", proceed);
                    }
                    registered = true;
                    return super.read(into, from, length);
                }
            };
        }

        private boolean hasInput() {
            try {
                return getInputStream().available() > 0;
            } catch (IOException e) {
                return false;
            }
        }
    }

    @Test
    void answersRequestThatHasArrivedAndIsNotReadYet() throws Exception {
        HeldSocket socket = new HeldSocket();
        LrwpPeer peer =
                peer((host, port, timeoutMillis, created) -> {
                    created.socket(socket);
                    socket.connect(new InetSocketAddress(host, port), timeoutMillis);
                    return socket;
                });
        try (Line line = agent.acceptAndRegister()) {
            Await.open("the connection is idle", socket.reading);
            line.send(ScriptedAgent.request(Map.of("REQUEST_METHOD", "GET"), new byte[0]));
            Await.until("the request has arrived", socket::hasInput);
            Thread closing = leaving(peer);
            proceed.countDown();
            assertThat(line.answerText()).endsWith("done");
            assertThat(line.isEnd()).isTrue();
            closing.join();
        }
    }

    /// Such as one that is asked to stop the application.
    @Test
    void handlerThatClosesItsPeerDoesNotWaitForItself() throws Exception {
        CompletableFuture<LrwpPeer> own = new CompletableFuture<>();
        LrwpPeer peer =
                peer(
                        Surroundings.real().connector(),
                        _ -> {
                            own.join().close(LONG);
                            return LrwpResponse.text("goodbye");
                        });
        own.complete(peer);
        try (Line line = agent.acceptAndRegister()) {
            line.send(ScriptedAgent.request(Map.of("REQUEST_METHOD", "POST"), new byte[0]));
            assertThat(line.answerText()).endsWith("goodbye");
            assertThat(line.isEnd()).isTrue();
            peer.join();
        }
    }

    @Test
    void leavesWhileItWaitsForAnAnswerToItsRegistration() throws Exception {
        LrwpPeer peer = peer(Surroundings.real().connector());
        try (Line line = agent.accept()) {
            line.startup(2);
            peer.close(LONG);
            assertThat(line.isEnd()).isTrue();
            peer.join();
        }
    }

    @Test
    void connectsNoMore() throws Exception {
        CountDownLatch opening = new CountDownLatch(1);
        AtomicBoolean connected = new AtomicBoolean();
        LrwpPeer peer =
                peer((_, _, _, created) -> {
                    opening.countDown();
                    Await.open("the connection may be opened", proceed);
                    try (Socket socket = new Socket()) {
                        created.socket(socket);
                        connected.set(true);
                        return socket;
                    }
                });
        Await.open("a connection is opened", opening);
        Thread closing = leaving(peer);
        proceed.countDown();
        closing.join();
        assertThat(connected).isFalse();
    }
}
