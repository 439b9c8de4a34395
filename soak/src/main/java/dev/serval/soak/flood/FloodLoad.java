package dev.serval.soak.flood;

import dev.serval.bench.client.LoadEngine;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// Runs a flood: one thread drives all of its connections and opens each again when it ends.
final class FloodLoad implements AutoCloseable {
    private static final int OPENED_PER_TURN_MAX = 256;
    private static final long TURN_MILLIS = 10;
    private static final long DRIP_NANOS = 1_000_000_000;
    private static final long RETRY_NANOS = 20_000_000;
    private static final long JOIN_MILLIS = 10_000;

    private final Flood flood;
    private final SocketAddress target;
    private final LoadEngine engine = new LoadEngine();
    private final Thread thread;
    private final ByteBuffer same;
    private final List<FloodConnection> all = new ArrayList<>();
    private final ArrayDeque<FloodConnection> toOpen = new ArrayDeque<>();
    private long sequence;
    private long retryAt;
    private volatile boolean stopping;
    private volatile long connects; // written only by the flood's thread
    private volatile long requests;
    private volatile long answers;
    private volatile long failures;

    private FloodLoad(Flood flood, SocketAddress target, int connections) throws IOException {
        this.flood = flood;
        this.target = target;
        this.same = flood.request(0);
        for (int i = 0; i < connections; i++) {
            FloodConnection connection = new FloodConnection(this);
            all.add(connection);
            toOpen.add(connection);
        }
        this.thread = Thread.ofPlatform().daemon().name("flood").unstarted(this::run);
    }

    /// Starts the flood.
    ///
    /// @param connectionsMax the most connections, even if the flood has more
    static FloodLoad start(Flood flood, SocketAddress target, int connectionsMax)
            throws IOException {
        FloodLoad load =
                new FloodLoad(flood, target, Math.min(flood.connections(), connectionsMax));
        load.thread.start();
        return load;
    }

    /// Returns the connections made, requests sent, answers read and failed attempts, in this
    /// order.
    long[] counts() {
        return new long[] {connects, requests, answers, failures};
    }

    Flood flood() {
        return flood;
    }

    /// Returns the bytes of the next request. They may be read once.
    ByteBuffer nextRequest() {
        return flood.varies() ? flood.request(sequence++) : same.duplicate();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void countConnect() {
        connects++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void countRequest() {
        requests++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    void countAnswers(int whole) {
        answers += whole;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
    private void countFailure() {
        failures++;
    }

    /// Queues a connection to be opened again.
    void ended(FloodConnection connection) {
        toOpen.addLast(connection);
    }

    /// Queues a connection that was not made, and pauses before others are tried.
    void failed(FloodConnection connection) {
        countFailure();
        toOpen.addLast(connection);
        retryAt = System.nanoTime() + RETRY_NANOS;
    }

    private void run() {
        long nextDrip = System.nanoTime() + DRIP_NANOS;
        try {
            while (!stopping) {
                openSome();
                engine.turn(TURN_MILLIS);
                if (flood.then() == Flood.Then.DRIP && System.nanoTime() - nextDrip > 0) {
                    nextDrip += DRIP_NANOS;
                    all.forEach(FloodConnection::drip);
                }
            }
        } catch (RuntimeException e) {
            countFailure();
        }
    }

    private void openSome() {
        if (System.nanoTime() - retryAt < 0) {
            return;
        }
        for (int i = Math.min(OPENED_PER_TURN_MAX, toOpen.size()); i > 0; i--) {
            engine.connect(target, toOpen.removeFirst());
            if (System.nanoTime() - retryAt < 0) {
                return;
            }
        }
    }

    @Override
    public void close() {
        stopping = true;
        engine.wakeUp();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        engine.close();
    }
}
