package dev.serval.blocking;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Records in one word which threads use a stream. So the stream's buffer never returns to the pool
/// while a thread can still reach it, and the response ends only once.
///
/// ```
///          claim, commit                      leave
///   FREE ────────────────▶ BUSY ───────────────────────────▶ FREE
///     ├──── breakOff ────────┴──▶ BROKEN ──┐
///     └──── end, giveUp ───────────────────┴──▶ ENDED, for good
/// ```
///
/// `SHARED` and `COMMITTED` are set once and stay set. The thread that runs the handler is the
/// exchange's own thread:
///
/// - It does not claim the word for calls that only touch the buffer. It also ends the exchange, so
///   it cannot be inside a call then.
/// - Any other thread sets `SHARED` before it touches the buffer. The atomic step that ends the
///   stream also returns whether that happened. A buffer is reused only if no other thread was ever
///   inside.
///
/// An `Error` inside a claimed call leaves the word `BUSY`, so every later call throws.
final class StreamUse {
    static final int BUSY = 1;
    static final int SHARED = 2;
    static final int COMMITTED = 4;
    static final int BROKEN = 8;
    static final int ENDED = 16;

    private static final VarHandle WORD = wordHandle();

    @SuppressWarnings("UnusedVariable") // used by WORD
    private int word;

    /// Returns the current word. Any thread.
    int word() {
        return (int) WORD.getVolatile(this);
    }

    /// Returns whether any of these bits is set. Any thread.
    boolean has(int bits) {
        return (word() & bits) != 0;
    }

    /// Begins a call.
    ///
    /// @param own whether the calling thread is the exchange's own thread
    /// @return whether the call has claimed the word, so that [#leave] must follow
    boolean enter(boolean own) throws IOException {
        if (own && ((int) WORD.getAcquire(this) & ~COMMITTED) == 0) {
            return false;
        }
        claim(own ? BUSY : BUSY | SHARED);
        return true;
    }

    /// Claims the word for a call that waits for the loop.
    ///
    /// @param claimed whether this call has claimed it already
    /// @param more bits to set at the same time
    void claimToAsk(boolean claimed, int more) throws IOException {
        if (!claimed) {
            claim(BUSY | more);
            return;
        }
        int seen = word();
        while (!WORD.compareAndSet(this, seen, requireUsable(seen) | more)) {
            seen = word();
        }
    }

    /// Ends a call that has claimed the word.
    void leave() {
        int _ = (int) WORD.getAndBitwiseAnd(this, ~BUSY);
    }

    /// Breaks the stream: later calls fail, and the response stays incomplete, unless it has ended.
    void breakOff() {
        int seen = word();
        while ((seen & ENDED) == 0 && !WORD.compareAndSet(this, seen, seen | BROKEN)) {
            seen = word();
        }
    }

    /// Ends the stream. An unfinished call of the exchange's own thread breaks it.
    ///
    /// @return the word before
    int end() {
        int seen = word();
        while ((seen & ENDED) == 0) {
            boolean died = (seen & (BUSY | SHARED)) == BUSY;
            int before = died ? seen | BROKEN : seen;
            if (WORD.compareAndSet(this, seen, before | ENDED)) {
                return before;
            }
            seen = word();
        }
        return seen;
    }

    /// Ends the stream and breaks it, if it has not ended.
    void giveUp() {
        int seen = word();
        while ((seen & ENDED) == 0 && !WORD.compareAndSet(this, seen, seen | ENDED | BROKEN)) {
            seen = word();
        }
    }

    private void claim(int bits) throws IOException {
        int seen;
        do {
            seen = requireUsable(word());
            if ((seen & BUSY) != 0) {
                throw new IOException("Another thread uses the stream, or an earlier call failed");
            }
        } while (!WORD.compareAndSet(this, seen, seen | bits));
    }

    private static int requireUsable(int seen) throws IOException {
        if ((seen & ENDED) != 0) {
            throw new IOException("The stream was closed, or its exchange has ended");
        }
        if ((seen & BROKEN) != 0) {
            throw new IOException(
                    "An earlier call of the stream failed, so it takes no more calls");
        }
        return seen;
    }

    private static VarHandle wordHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(StreamUse.class, "word", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
