package dev.serval.bench.client;

import dev.serval.loop.Poller;
import dev.serval.net.Network;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Polls the sockets of a load for no longer than its caller allows. Owned by one thread.
final class TurnPoller implements Poller {
    private static final long NANOS_PER_MILLI = 1_000_000;

    /// The wait between two looks at the sockets. The system adds about as much again.
    private static final long SLICE_NANOS = 50_000;

    private final Network network;
    private long limitNanos;

    TurnPoller(Network network) {
        this.network = network;
    }

    /// Sets the longest wait of the next poll.
    void limit(long nanos) {
        limitNanos = Math.max(0, nanos);
    }

    /// The network counts milliseconds, which is too coarse for a load with planned instants.
    @Override
    public void poll(long timeoutNanos) {
        long nanos = Math.min(timeoutNanos, limitNanos);
        if (nanos >= NANOS_PER_MILLI) {
            network.poll(nanos / NANOS_PER_MILLI * NANOS_PER_MILLI);
            return;
        }
        if (nanos > 0) {
            LockSupport.parkNanos(Math.min(nanos, SLICE_NANOS));
        }
        network.poll(0);
    }

    @Override
    public void dispatch(BooleanSupplier enough) {
        network.dispatch(enough);
    }

    @Override
    public void endTurn() {
        // Connections write at once.
    }

    @Override
    public void wakeup() {
        network.wakeup();
    }

    @Override
    public void close() {
        network.close();
    }
}
