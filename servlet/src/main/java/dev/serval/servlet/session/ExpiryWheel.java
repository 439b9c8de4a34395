package dev.serval.servlet.session;

import org.jspecify.annotations.Nullable;

/// A hashed wheel of deadlines with 512 slots of 1.07 s. A deadline fires at most one slot late,
/// never early.
///
/// An access to a session does not touch the wheel. When the slot of a session is due, the session
/// says when it is really overdue, and is linked again. Each call takes the lock for a few
/// instructions, and a session is taken from the wheel before it is examined. One thread at a time
/// advances the wheel; any thread may call the other methods.
final class ExpiryWheel {
    /// Examines a session whose slot is due.
    interface Due {
        /// Ends the session if it is overdue.
        ///
        /// @return when to examine it again, or [Long#MAX_VALUE] for never
        long examine(Session session, long nowNanos);
    }

    private static final int TICK_BITS = 30; // 2^30 ns
    private static final int SLOTS = 512;
    private static final int MASK = SLOTS - 1;

    private final @Nullable Session[] slots = new @Nullable Session[SLOTS];
    private final long originNanos;
    private int tick; // slots up to this tick were emptied; enough for 73 years

    ExpiryWheel(long nowNanos) {
        this.originNanos = nowNanos;
    }

    /// Has the session examined after `atNanos`, or earlier if that was set before. Ignores
    /// [Long#MAX_VALUE] and a session that ends.
    synchronized void arm(Session session, long atNanos) {
        if (atNanos == Long.MAX_VALUE || !session.isLive()) {
            return;
        }
        long due = ((atNanos - originNanos) >> TICK_BITS) + 1;
        // A deadline beyond one round waits in the last slot of this round.
        int slotTick = (int) Math.clamp(due, tick + 1L, tick + (long) MASK);
        if (session.slotTick == Session.NO_SLOT) {
            link(session, slotTick);
        } else if (slotTick < session.slotTick) {
            unlink(session);
            link(session, slotTick);
        }
    }

    /// Removes the session, if it is here.
    synchronized void cancel(Session session) {
        if (session.slotTick != Session.NO_SLOT) {
            unlink(session);
        }
    }

    /// Examines the sessions whose slots are due.
    ///
    /// @return how many sessions were examined
    int advance(long nowNanos, Due due) {
        int target = (int) ((nowNanos - originNanos) >> TICK_BITS);
        int examined = 0;
        // After a pause of more than one round, one round visits every slot.
        for (int t = firstTick(target); t <= target; t++) {
            // Sessions linked from now on go to later slots, so this loop ends.
            turnTo(t);
            for (Session one = take(t); one != null; one = take(t)) {
                examined++;
                arm(one, due.examine(one, nowNanos));
            }
        }
        return examined;
    }

    private synchronized int firstTick(int target) {
        return Math.max(tick + 1, target - MASK);
    }

    private synchronized void turnTo(int next) {
        tick = next;
    }

    private synchronized @Nullable Session take(int slotTick) {
        Session first = slots[slotTick & MASK];
        if (first != null) {
            unlink(first);
        }
        return first;
    }

    private void link(Session session, int slotTick) {
        int slot = slotTick & MASK;
        Session first = slots[slot];
        session.slotTick = slotTick;
        session.nextInSlot = first;
        if (first != null) {
            first.previousInSlot = session;
        }
        slots[slot] = session;
    }

    private void unlink(Session session) {
        Session before = session.previousInSlot;
        Session after = session.nextInSlot;
        if (after != null) {
            after.previousInSlot = before;
        }
        if (before == null) {
            slots[session.slotTick & MASK] = after;
        } else {
            before.nextInSlot = after;
        }
        session.nextInSlot = null;
        session.previousInSlot = null;
        session.slotTick = Session.NO_SLOT;
    }
}
