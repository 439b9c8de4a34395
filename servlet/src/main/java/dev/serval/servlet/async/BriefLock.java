package dev.serval.servlet.async;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/// A lock that an event loop and the virtual threads that it carries may both take.
///
/// A thread that waits for an ordinary lock is woken in turn. If that is a virtual thread of a loop
/// that waits behind it, neither continues. Here each waiting thread tries again by itself. The
/// holder must not wait for anything, so it holds the lock for some instructions only.
public final class BriefLock {
    private static final int SPINS = 64;
    private static final long PAUSE_NANOS = 10_000;

    private static final VarHandle HELD = heldHandle();

    @SuppressWarnings("UnusedVariable") // used by HELD
    private boolean held;

    public void lock() {
        int tries = 0;
        while (!HELD.compareAndSet(this, false, true)) {
            if (++tries < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    public void unlock() {
        HELD.setVolatile(this, false);
    }

    private static VarHandle heldHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(BriefLock.class, "held", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
