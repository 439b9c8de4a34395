package dev.serval.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Whose a loop is, in one word: `sequence << 1 | APPLICATION`.
///
/// ```
///                    enter (owner)                    leave (the same thread: still owner)
///   ENGINE(s) ─────────────────────▶ APPLICATION(s+1) ─────────────────────▶ ENGINE(s+1)
///                                          │
///                                          │ preempt (watchdog)
///                                          ▼
///                                     ENGINE(s+2), another thread's; leave fails
/// ```
///
/// All else of a loop is in plain fields. What the owner wrote before [#enter] is seen by a watchdog
/// that succeeds in [#preempt], and by the thread it hands the loop to. A [#leave] that succeeds means
/// that nobody else owned the loop in between; one that fails means that this thread must not touch
/// it any more. A sequence number never comes again, so a late attempt cannot succeed.
final class Ownership {
    private static final int MIDDLE = 16; // longs: no cache line is shared with anything else
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long APPLICATION = 1;

    private final long[] cells = new long[2 * MIDDLE];
    private long sequence; // the owner's

    /// The owner is about to run application code.
    ///
    /// @return what [#leave] is to be given
    long enter() {
        long word = ++sequence << 1 | APPLICATION;
        WORD.setVolatile(cells, MIDDLE, word);
        return word;
    }

    /// Application code returned, to the thread that called [#enter].
    ///
    /// @return whether the loop is still this thread's
    boolean leave(long entered) {
        return WORD.compareAndSet(cells, MIDDLE, entered, entered & ~APPLICATION);
    }

    /// The word now. Any thread.
    long word() {
        return (long) WORD.getVolatile(cells, MIDDLE);
    }

    /// Whether application code runs, by that word.
    static boolean inApplication(long word) {
        return (word & APPLICATION) != 0;
    }

    /// Takes the loop from its owner, if it still runs what it ran at `seen`.
    ///
    /// @return whether the loop is now the caller's, to be handed to another thread
    boolean preempt(long seen) {
        long taken = (seen >>> 1) + 1;
        if (!WORD.compareAndSet(cells, MIDDLE, seen, taken << 1)) {
            return false;
        }
        sequence = taken;
        return true;
    }
}
