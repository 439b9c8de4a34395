package dev.serval.loop;

import org.jspecify.annotations.Nullable;

/// An instant at which something is due, kept by a [TimerWheel]. Made once by its owner and set
/// again and again; moving it later costs one store. Owned by the wheel's loop.
public final class Deadline {
    /// The instant of a deadline that is not set.
    public static final long NEVER = Long.MAX_VALUE;

    final Runnable expired;
    long atNanos = NEVER;
    long slotTick; // the tick in whose slot it is linked, at or before atNanos
    @Nullable Deadline next;
    @Nullable Deadline previous;
    boolean linked;

    /// Unset at first.
    ///
    /// @param expired runs on the loop when the instant has come; it may set the deadline again
    public Deadline(Runnable expired) {
        this.expired = expired;
    }

    /// When it is due, or [#NEVER].
    public long atNanos() {
        return atNanos;
    }

    /// Whether it is set.
    public boolean isSet() {
        return atNanos != NEVER;
    }
}
