package dev.serval.loop;

import org.jspecify.annotations.Nullable;

/// An instant at which an action is due, managed by a [TimerWheel]. Its owner creates it once and
/// sets it many times. Moving it later costs one store. Owned by the wheel's loop.
public final class Deadline {
    /// The instant of a deadline that is not set.
    public static final long NEVER = Long.MAX_VALUE;

    final Runnable expired;
    long atNanos = NEVER;
    long slotTick; // the tick in whose slot it is linked
    @Nullable Deadline next;
    @Nullable Deadline previous;
    boolean linked;

    /// Creates a deadline that is not set.
    ///
    /// @param expired runs on the loop at the instant; it may set the deadline again
    public Deadline(Runnable expired) {
        this.expired = expired;
    }

    /// Returns the instant at which it is due, or [#NEVER].
    public long atNanos() {
        return atNanos;
    }

    /// Returns whether it is set.
    public boolean isSet() {
        return atNanos != NEVER;
    }
}
