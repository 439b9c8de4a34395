package dev.serval.servlet.password;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Bounds the passwords that are hashed at a time. Checks that are suspect share half of the permits
/// and have a queue of their own, so that logins of others wait for few of them. Any thread that may
/// wait.
final class HashPermits {
    private final Semaphore all;
    private final Semaphore ofSuspects;
    private final int waitingMax;
    private final long waitNanos;
    private final LongSupplier nanoClock;

    HashPermits(SecurityLimits limits, LongSupplier nanoClock) {
        this.all = new Semaphore(limits.checksMax(), true);
        this.ofSuspects = new Semaphore(Math.max(1, limits.checksMax() / 2), true);
        this.waitingMax = limits.checksWaitingMax();
        this.waitNanos = limits.checkWaitNanos();
        this.nanoClock = nanoClock;
    }

    /// Waits for a permit. Give it back by [#release].
    ///
    /// @return whether there is one; if not, too many checks wait or it took too long
    boolean acquire(boolean isSuspect) {
        if (!isSuspect) {
            return acquire(all, waitNanos);
        }
        long begin = nanoClock.getAsLong();
        if (!acquire(ofSuspects, waitNanos)) {
            return false;
        }
        boolean acquired = acquire(all, waitNanos - (nanoClock.getAsLong() - begin));
        if (!acquired) {
            ofSuspects.release();
        }
        return acquired;
    }

    private boolean acquire(Semaphore permits, long nanos) {
        if (permits.getQueueLength() >= waitingMax) {
            return false;
        }
        try {
            return permits.tryAcquire(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    void release(boolean isSuspect) {
        all.release();
        if (isSuspect) {
            ofSuspects.release();
        }
    }

    /// Returns the checks that wait.
    int waiting(boolean isSuspect) {
        return (isSuspect ? ofSuspects : all).getQueueLength();
    }
}
