package dev.serval.blocking;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A call from a thread to the loop. The thread waits for the answer, and makes one call at a time.
///
/// ```
///            ask                answer (loop)
///   NONE ──────────▶ ASKED ──────────────────▶ NONE
///                      └── interrupted ──▶ GIVEN_UP
/// ```
///
/// While the state is ASKED, the loop owns the call's data. Each side then sees what the other
/// wrote before. After GIVEN_UP, the loop keeps the data for good.
final class LoopCall {
    private enum State {
        NONE,
        ASKED,
        GIVEN_UP
    }

    /// The call of a stream that has never waited. Nobody asks it.
    static final LoopCall NONE = new LoopCall();

    private static final VarHandle STATE = stateHandle();

    private volatile State state = State.NONE;
    private @Nullable Thread asker;

    /// Opens a call. For the thread.
    void ask() {
        asker = Thread.currentThread();
        state = State.ASKED;
    }

    /// Waits for the answer. For the thread.
    ///
    /// @return whether the answer came; if not, the thread was interrupted first, and its interrupt
    ///     status is still set
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

    /// Returns whether a thread waits for the answer.
    boolean isAsked() {
        return state == State.ASKED;
    }

    /// Answers, if a thread waits. For the loop.
    void answer() {
        if (state == State.ASKED) {
            @Nullable Thread waiting = asker; // read before the CAS ends the call
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
