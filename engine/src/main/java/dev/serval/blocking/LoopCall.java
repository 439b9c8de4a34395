package dev.serval.blocking;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// What a thread asks the loop and waits for. One thread asks at a time.
///
/// ```
///            ask                answer (loop)
///   NONE ──────────▶ ASKED ──────────────────▶ NONE
///                      └── interrupted ──▶ GIVEN_UP
/// ```
///
/// While it is asked, all that it is about is the loop's; what each side wrote before is seen by the
/// other. Given up, it stays the loop's for good.
final class LoopCall {
    private enum State {
        NONE,
        ASKED,
        GIVEN_UP
    }

    private static final VarHandle STATE = stateHandle();

    private volatile State state = State.NONE;
    private @Nullable Thread asker;

    /// Asks. The thread's.
    void ask() {
        asker = Thread.currentThread();
        state = State.ASKED;
    }

    /// Waits for the answer. The thread's.
    ///
    /// @return whether it came; if not, the thread was interrupted first, and its interrupt status
    ///     is still set
    boolean await() {
        while (state == State.ASKED) {
            if (!Thread.currentThread().isInterrupted()) {
                LockSupport.park(this);
            } else if (STATE.compareAndSet(this, State.ASKED, State.GIVEN_UP)) {
                return false;
            }
        }
        return true;
    }

    /// Whether somebody waits for the answer.
    boolean isAsked() {
        return state == State.ASKED;
    }

    /// Answers, if somebody waits. The loop's.
    void answer() {
        if (state == State.ASKED) {
            @Nullable Thread waiting = asker; // as it was when it asked
            if (STATE.compareAndSet(this, State.ASKED, State.NONE)) {
                LockSupport.unpark(waiting);
            }
        }
    }

    private static VarHandle stateHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(LoopCall.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
