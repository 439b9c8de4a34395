package dev.serval.loop;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// The poller of a loop without sockets. It sleeps like a selector, or returns at once for a loop
/// that a test turns by hand. The loop calls it, and any thread may wake it.
public final class FakePoller implements Poller {
    private final Semaphore wakeUps = new Semaphore(0);
    private final long sleepMaxNanos;
    private final Consumer<BooleanSupplier> sockets;
    private final Runnable slowness;

    private FakePoller(long sleepMaxNanos, Consumer<BooleanSupplier> sockets, Runnable slowness) {
        this.sleepMaxNanos = sleepMaxNanos;
        this.sockets = sockets;
        this.slowness = slowness;
    }

    /// Returns a poller that never sleeps.
    public static FakePoller awake() {
        return awake(_ -> {});
    }

    /// Returns a poller that never sleeps.
    ///
    /// @param sockets serves the sockets that are ready, until the condition says that it is enough
    public static FakePoller awake(Consumer<BooleanSupplier> sockets) {
        return new FakePoller(0, sockets, () -> {});
    }

    /// Returns a poller that sleeps until it is woken.
    public static FakePoller asleep() {
        return new FakePoller(Long.MAX_VALUE, _ -> {}, () -> {});
    }

    /// Returns a poller that sleeps until it is woken, or until a socket seems to be ready.
    ///
    /// @param slowness runs in each wake-up, while the poller's lock is held
    public static FakePoller busy(long socketsEveryNanos, Runnable slowness) {
        return new FakePoller(socketsEveryNanos, _ -> {}, slowness);
    }

    @Override
    public void poll(long timeoutNanos) {
        long nanos = Math.min(timeoutNanos, sleepMaxNanos);
        if (nanos > 0) {
            try {
                boolean _ = wakeUps.tryAcquire(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        wakeUps.drainPermits();
    }

    @Override
    public void dispatch(BooleanSupplier enough) {
        sockets.accept(enough);
    }

    @Override
    public void endTurn() {}

    @Override
    public synchronized void wakeup() { // synchronized, like that of a selector
        slowness.run();
        wakeUps.release();
    }

    @Override
    public void close() {}
}
