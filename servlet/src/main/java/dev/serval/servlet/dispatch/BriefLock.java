package dev.serval.servlet.dispatch;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/// A lock that an event loop and the virtual threads that it carries may both take.
///
/// A thread that waits for an ordinary lock is woken in turn. If that is a virtual thread of a loop
/// that waits behind it, neither continues. Here each waiting thread tries again by itself. The
/// holder must not wait for anything, so it holds the lock for some instructions only.
final class BriefLock {
    private static final int SPINS = 64;
    private static final long PAUSE_NANOS = 10_000;

    private final AtomicBoolean held = new AtomicBoolean();

    void lock() {
        int tries = 0;
        while (!held.compareAndSet(false, true)) {
            if (++tries < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    void unlock() {
        held.set(false);
    }
}
