package dev.serval.bench.client;

import dev.serval.loop.Clock;
import dev.serval.loop.EventLoop;
import dev.serval.loop.LoopParts;
import dev.serval.loop.Reports;
import dev.serval.loop.TimerWheel;
import dev.serval.net.Network;
import dev.serval.net.Transport;
import dev.serval.net.epoll.EpollNetwork;
import dev.serval.net.nio.NioNetwork;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Drives the connections of a load on one event loop of the engine, which the caller's thread
/// turns. What they send and expect is up to their [Conversation].
public final class LoadEngine implements AutoCloseable {
    private static final int READ_BYTES = 256 << 10;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Network network =
            EpollNetwork.unavailable() == null ? new EpollNetwork() : new NioNetwork();
    private final TurnPoller poller = new TurnPoller(network);
    private final EventLoop loop =
            new EventLoop(new LoopParts(0, Clock.SYSTEM, new Faults()), poller);
    private final ByteBuffer in = ByteBuffer.allocateDirect(READ_BYTES);
    private final ClientTls.@Nullable Shared tls; // null in the clear
    private @Nullable Throwable fault;

    /// Creates an engine without connections.
    public LoadEngine() {
        this(false);
    }

    /// Creates an engine without connections.
    ///
    /// @param tls whether by TLS: then servers must show the certificate of the suite
    public LoadEngine(boolean tls) {
        this.tls = tls ? new ClientTls.Shared(READ_BYTES) : null;
    }

    /// Keeps the first exception of a conversation, which an event loop survives, for the caller of
    /// [#turn].
    private final class Faults implements Reports {
        @Override
        public void fault(String what, Throwable thrown) {
            fault = fault == null ? thrown : fault;
        }

        @Override
        public void lost(String what, Throwable why) {
            // A conversation hears of the end of its connection.
        }
    }

    /// Begins to connect. The conversation continues in a later turn with [Conversation#connected],
    /// or with [Conversation#ended], perhaps at once.
    ///
    /// @return ends the attempt if it has no result yet; then the conversation hears no more
    public Runnable connect(SocketAddress server, Conversation conversation) {
        Attempt attempt = new Attempt(conversation);
        attempt.stop = network.connect(server, attempt);
        return attempt;
    }

    /// Begins to connect from a local address, at a port that the system chooses.
    public Runnable connect(
            InetSocketAddress from, SocketAddress server, Conversation conversation) {
        Attempt attempt = new Attempt(conversation);
        attempt.stop = network.connect(from, server, attempt);
        return attempt;
    }

    /// An attempt to connect, over TLS with the handshake.
    private final class Attempt implements Network.Connecting, Runnable {
        private final Conversation conversation;
        private Runnable stop = () -> {};

        Attempt(Conversation conversation) {
            this.conversation = conversation;
        }

        @Override
        public void connected(Transport transport) {
            ClientTls over = tls == null ? null : new ClientTls(tls, transport);
            LoadConnection made =
                    new LoadConnection(LoadEngine.this, transport, conversation, over);
            stop = made::abandon;
            made.start();
        }

        @Override
        public void connectFailed(IOException why) {
            conversation.ended(why);
        }

        @Override
        public void run() {
            stop.run();
        }
    }

    /// Waits for events, at most so many milliseconds, and handles them.
    public void turn(long millis) {
        turnNanos(millis * NANOS_PER_MILLI);
    }

    /// Waits for events, at most so many nanoseconds, and handles them. A wait of less than a
    /// millisecond notices an event up to 0.1 ms late.
    ///
    /// @throws RuntimeException what a conversation has thrown
    public void turnNanos(long nanos) {
        poller.limit(nanos);
        loop.turn(true);
        Throwable thrown = fault;
        fault = null;
        if (thrown instanceof RuntimeException e) {
            throw e;
        } else if (thrown != null) {
            throw new IllegalStateException("the loop of a load failed", thrown);
        }
    }

    /// Returns the deadlines of the loop, which fire in a turn.
    public TimerWheel timers() {
        return loop.timers();
    }

    /// Ends the wait of [#turn]. Any thread.
    public void wakeUp() {
        network.wakeup();
    }

    /// Returns the empty buffer that all connections read into.
    ByteBuffer buffer() {
        return in.clear();
    }

    /// Closes all connections. None may be used any more.
    @Override
    public void close() {
        network.close();
    }
}
