package dev.serval.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The ownership of a loop, in one word: `sequence << 1 | APPLICATION`.
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
/// All other state of a loop is in plain fields. A successful [#preempt] makes all that the owner
/// wrote before [#enter] visible to the watchdog, and to the thread that gets the loop.
///
/// A successful [#leave] means that no other thread owned the loop in between. After a failed one,
/// this thread must not touch the loop any more. A sequence number is never used again, so a late
/// attempt cannot succeed.
final class Ownership {
    private static final int MIDDLE = 16; // longs on each side: no shared cache line
    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long APPLICATION = 1;

    private final long[] cells = new long[2 * MIDDLE];
    private long sequence; // used by the owner

    /// Marks that the owner is about to run application code.
    ///
    /// @return the word to pass to [#leave]
    long enter() {
        long word = ++sequence << 1 | APPLICATION;
        WORD.setVolatile(cells, MIDDLE, word);
        return word;
    }

    /// Marks that application code returned, on the thread that called [#enter].
    ///
    /// @return whether this thread still owns the loop
    boolean leave(long entered) {
        return WORD.compareAndSet(cells, MIDDLE, entered, entered & ~APPLICATION);
    }

    /// Returns the current word. Any thread.
    long word() {
        return (long) WORD.getVolatile(cells, MIDDLE);
    }

    /// Returns whether the word says that application code runs.
    static boolean inApplication(long word) {
        return (word & APPLICATION) != 0;
    }

    /// Takes the loop from its owner, if the word is still `seen`.
    ///
    /// @return whether the caller owns the loop now, and can give it to another thread
    boolean preempt(long seen) {
        long taken = (seen >>> 1) + 1;
        if (!WORD.compareAndSet(cells, MIDDLE, seen, taken << 1)) {
            return false;
        }
        sequence = taken;
        return true;
    }
}
