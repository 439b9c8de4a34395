package dev.serval.loop;

import java.util.concurrent.atomic.AtomicLong;

/// Lets something happen at most once per interval, whichever thread asks. Any thread; takes no lock.
public final class Throttle {
    private static final long NEVER = Long.MIN_VALUE;

    private final long intervalNanos;
    private final AtomicLong passedNanos; // when it last happened

    /// Creates a throttle that lets the first one pass at once.
    public Throttle(long intervalNanos) {
        this(intervalNanos, NEVER);
    }

    /// Creates a throttle that lets the first one pass an interval after `nowNanos`.
    ///
    /// @param nowNanos the monotonic clock
    public Throttle(long intervalNanos, long nowNanos) {
        this.intervalNanos = intervalNanos;
        this.passedNanos = new AtomicLong(nowNanos);
    }

    /// Returns whether it may happen now. If so, the next interval has begun.
    ///
    /// @param nowNanos the monotonic clock
    public boolean pass(long nowNanos) {
        long passed = passedNanos.get();
        boolean due = passed == NEVER || nowNanos - passed >= intervalNanos;
        return due && passedNanos.compareAndSet(passed, nowNanos);
    }
}
