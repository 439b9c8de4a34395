package dev.serval.loop;

import org.jspecify.annotations.Nullable;

/// A hashed timer wheel with 512 slots of 16.8 ms. A deadline fires at most one slot late, never
/// early.
///
/// Most deadlines of a server are moved later many times and never fire. So moving one later only
/// writes the instant. When the wheel reaches its old slot, the deadline is linked again. If no
/// deadline is set, the loop may sleep for ever. An exception of one deadline is logged and does
/// not affect others. Owned by one loop.
public final class TimerWheel {
    private static final String ACTION_FAILED =
            Reports.text("The action of a deadline failed; the loop continues");
    private static final int TICK_BITS = 24; // 2^24 ns
    private static final int SLOTS = 512;
    private static final int MASK = SLOTS - 1;

    private final @Nullable Deadline[] slots = new @Nullable Deadline[SLOTS];
    private final long[] occupied = new long[SLOTS / 64];
    private final Reports reports;
    private final long originNanos;
    private long tick; // slots up to this tick were emptied
    private int armed;
    private @Nullable Deadline pending; // rest of the slot being emptied, while a deadline fires

    /// Creates an empty wheel.
    ///
    /// @param nowNanos the loop's clock
    /// @param reports receives reports of faults
    public TimerWheel(long nowNanos, Reports reports) {
        this.reports = reports;
        this.originNanos = nowNanos;
    }

    /// Sets `deadline` to fire at `atNanos`, in place of any earlier instant.
    public void set(Deadline deadline, long atNanos) {
        if (atNanos == Deadline.NEVER) {
            cancel(deadline);
            return;
        }
        if (deadline.linked) {
            deadline.atNanos = atNanos;
            if (tickOf(atNanos) >= deadline.slotTick) {
                return;
            }
            unlink(deadline);
        }
        deadline.atNanos = atNanos;
        link(deadline, Math.max(tickOf(atNanos), tick + 1));
    }

    /// Unsets `deadline`, so that it does not fire.
    public void cancel(Deadline deadline) {
        deadline.atNanos = Deadline.NEVER;
        if (deadline.linked) {
            unlink(deadline);
        }
    }

    /// Returns how many deadlines are set.
    public int armed() {
        return armed;
    }

    /// Returns the nanoseconds from `nowNanos` until [#advance] must be called, or
    /// [Long#MAX_VALUE].
    public long untilNext(long nowNanos) {
        if (armed == 0) {
            return Long.MAX_VALUE;
        }
        int from = (int) (tick + 1) & MASK;
        int distance = distanceToOccupied(from);
        long due = originNanos + ((tick + 1 + distance) << TICK_BITS);
        return Math.max(0, due - nowNanos);
    }

    /// Fires the deadlines that are due.
    public void advance(long nowNanos) {
        long target = (nowNanos - originNanos) >> TICK_BITS;
        if (target <= tick) {
            return;
        }
        if (armed == 0) {
            tick = target;
            return;
        }
        long first = tick + 1;
        long last = Math.min(target, tick + SLOTS); // one round visits every slot
        tick = target; // so deadlines linked meanwhile go to later slots
        for (long t = first; t <= last; t++) {
            int slot = (int) t & MASK;
            if ((occupied[slot >> 6] & 1L << slot) != 0) {
                empty(slot, nowNanos);
            }
        }
    }

    private void empty(int slot, long nowNanos) {
        @Nullable Deadline rest = slots[slot];
        slots[slot] = null;
        occupied[slot >> 6] &= ~(1L << slot);
        // A deadline that fires may set and cancel others of this slot, so they are removed one by
        // one.
        while (rest != null) {
            Deadline one = rest;
            rest = one.next;
            if (rest != null) {
                rest.previous = null;
            }
            release(one);
            if (one.atNanos > nowNanos) {
                link(one, Math.max(tickOf(one.atNanos), tick + 1));
            } else {
                rest = fire(one, rest);
            }
        }
    }

    private @Nullable Deadline fire(Deadline one, @Nullable Deadline others) {
        pending = others;
        one.atNanos = Deadline.NEVER;
        try {
            one.expired.run();
        } catch (RuntimeException | Error e) {
            reports.fault(ACTION_FAILED, e);
        }
        @Nullable Deadline rest = pending;
        pending = null;
        return rest;
    }

    private void link(Deadline deadline, long atTick) {
        // A deadline beyond one round waits in the last slot of this round, and is linked again
        // from there.
        long linkTick = Math.min(atTick, tick + MASK);
        int slot = (int) linkTick & MASK;
        @Nullable Deadline head = slots[slot];
        deadline.slotTick = linkTick;
        deadline.next = head;
        deadline.previous = null;
        if (head != null) {
            head.previous = deadline;
        }
        slots[slot] = deadline;
        occupied[slot >> 6] |= 1L << slot;
        deadline.linked = true;
        armed++;
    }

    private void unlink(Deadline deadline) {
        @Nullable Deadline before = deadline.previous;
        @Nullable Deadline after = deadline.next;
        if (after != null) {
            after.previous = before;
        }
        int slot = (int) deadline.slotTick & MASK;
        if (before != null) {
            before.next = after;
        } else if (pending == deadline) {
            pending = after;
        } else {
            slots[slot] = after;
            if (after == null) {
                occupied[slot >> 6] &= ~(1L << slot);
            }
        }
        release(deadline);
    }

    private void release(Deadline deadline) {
        deadline.next = null;
        deadline.previous = null;
        deadline.linked = false;
        armed--;
    }

    /// Returns the first tick after the instant.
    private long tickOf(long atNanos) {
        long sinceOrigin = atNanos - originNanos;
        return (sinceOrigin >> TICK_BITS) + 1;
    }

    private int distanceToOccupied(int from) {
        int word = from >> 6;
        long bits = occupied[word] >>> from;
        if (bits != 0) {
            return Long.numberOfTrailingZeros(bits);
        }
        int distance = 64 - (from & 63);
        for (int i = 1; i <= occupied.length; i++) {
            long next = occupied[(word + i) & (occupied.length - 1)];
            if (next != 0) {
                return distance + Long.numberOfTrailingZeros(next);
            }
            distance += 64;
        }
        return distance;
    }
}
