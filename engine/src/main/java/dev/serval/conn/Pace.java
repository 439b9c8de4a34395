package dev.serval.conn;

import dev.serval.loop.Deadline;
import dev.serval.policy.Limits;

/// Whether a peer keeps the minimum rate, counted only while we wait for it. Owned by a connection.
final class Pace {
    /// How often a waiting connection is looked at.
    private static final long CHECK_NANOS = 1_000_000_000L;

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private boolean waiting;
    private boolean started;
    private long waitingSince;
    private long waitedNanos;
    private long countAtStart;
    private long moved;
    private long lastCount;
    private long lastMoveNanos;
    private long nextCheckNanos;

    /// Forgets all.
    void reset() {
        waiting = false;
        started = false;
        waitedNanos = 0;
        moved = 0;
    }

    /// We wait for the peer from now on.
    ///
    /// @param count bytes moved since the connection began
    void begin(long nowNanos, long count) {
        begin(nowNanos, count, count);
    }

    /// As the other `begin`, and what moved just before is counted, too.
    ///
    /// @param before bytes moved before those
    void begin(long nowNanos, long count, long before) {
        if (!waiting) {
            waiting = true;
            waitingSince = nowNanos;
            countAtStart = before;
            lastCount = count;
            lastMoveNanos = nowNanos;
            if (!started) { // a wait that is cut into many does not put the look off
                started = true;
                nextCheckNanos = nowNanos + CHECK_NANOS;
            }
        }
    }

    /// When to look next: traffic does not put it off. [Deadline#NEVER] while we do not wait.
    long nextCheckNanos() {
        return waiting ? nextCheckNanos : Deadline.NEVER;
    }

    /// We no longer wait.
    void end(long nowNanos, long count) {
        if (waiting) {
            waiting = false;
            waitedNanos += nowNanos - waitingSince;
            moved += count - countAtStart;
        }
    }

    /// Whether we wait.
    boolean waiting() {
        return waiting;
    }

    /// Whether the peer is below the minimum rate, or moved nothing for too long.
    boolean tooSlow(long nowNanos, long count, Limits.Paces limits) {
        if (!waiting || nowNanos < nextCheckNanos) {
            return false;
        }
        nextCheckNanos = nowNanos + CHECK_NANOS;
        if (count != lastCount) {
            lastCount = count;
            lastMoveNanos = nowNanos;
        }
        if (nowNanos - lastMoveNanos >= limits.stallNanos()) {
            return true;
        }
        long late = waitedNanos + (nowNanos - waitingSince) - limits.graceNanos();
        if (late <= 0) {
            return false;
        }
        double owed = (double) late / NANOS_PER_SECOND * limits.minBytesPerSecond();
        return moved + (count - countAtStart) < owed;
    }
}
