package dev.serval.conn;

import dev.serval.loop.Deadline;
import dev.serval.net.Transport;
import dev.serval.policy.Limits;
import org.jspecify.annotations.Nullable;

/// Checks whether a peer keeps the minimum rate. Time and bytes count only while we wait for the
/// peer. Owned by a connection.
final class Pace {
    /// The interval of the checks.
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
    private long lastAcknowledged = Transport.UNKNOWN;
    private long nextCheckNanos;
    private long uploaded; // at the last check

    /// Clears all counts.
    void reset() {
        waiting = false;
        started = false;
        waitedNanos = 0;
        moved = 0;
    }

    /// Starts to wait for the peer.
    ///
    /// @param count bytes moved since the connection began
    /// @param before bytes moved since it began, without those just before that count for this wait
    void begin(long nowNanos, long count, long before) {
        if (!waiting) {
            waiting = true;
            waitingSince = nowNanos;
            countAtStart = before;
            lastCount = count;
            lastMoveNanos = nowNanos;
            lastAcknowledged = Transport.UNKNOWN;
            if (!started) { // a wait in many pieces does not postpone the check
                started = true;
                nextCheckNanos = nowNanos + CHECK_NANOS;
            }
        }
    }

    /// Returns the time of the next check, which traffic does not postpone, or [Deadline#NEVER] if
    /// we do not wait.
    long nextCheckNanos() {
        return waiting ? nextCheckNanos : Deadline.NEVER;
    }

    /// Returns the time of the next check of a pace that may not have been needed yet.
    static long checkNanosOf(@Nullable Pace pace) {
        return pace == null ? Deadline.NEVER : pace.nextCheckNanos();
    }

    /// Returns whether [#tooSlow] decides now, and the count has not changed since the last time.
    boolean seemsToStall(long nowNanos, long count) {
        return waiting && nowNanos >= nextCheckNanos && count == lastCount;
    }

    /// Notes how many bytes the peer's system has acknowledged. The count moves in large steps: the
    /// system asks for more only if a good part of what it holds was taken.
    void acknowledged(long nowNanos, long acknowledged) {
        if (lastAcknowledged != Transport.UNKNOWN && acknowledged != lastAcknowledged) {
            lastMoveNanos = nowNanos;
        }
        lastAcknowledged = acknowledged;
    }

    /// Counts content of a request whose response waits, before [#tooSlow]. Many clients read nothing
    /// until they have sent all. So what arrives counts as moved, up to the minimum rate for the time
    /// that we waited. A client that keeps this rate has its whole grace when the content ends or
    /// stops, and more content than that gives no credit.
    ///
    /// @param moveCount bytes moved since the connection began, as in [#begin]
    /// @param contentCount bytes of content so far; fewer than before are those of another request
    void upload(long nowNanos, long moveCount, long contentCount, long minBytesPerSecond) {
        if (!waiting || nowNanos < nextCheckNanos) {
            return;
        }
        long came = contentCount - uploaded;
        uploaded = contentCount;
        long waited = waitedNanos + (nowNanos - waitingSince);
        long missing =
                (long) ((double) waited / NANOS_PER_SECOND * minBytesPerSecond)
                        - moved
                        - (moveCount - countAtStart);
        moved += Math.clamp(came, 0, Math.max(0, missing));
        if (came >= Math.max(1, minBytesPerSecond)) { // in the time since the last check
            lastMoveNanos = nowNanos;
        }
    }

    /// Stops waiting.
    void end(long nowNanos, long count) {
        if (waiting) {
            waiting = false;
            waitedNanos += nowNanos - waitingSince;
            moved += count - countAtStart;
        }
    }

    /// Returns whether we wait.
    boolean waiting() {
        return waiting;
    }

    /// Returns whether the peer is below the minimum rate, or moved no byte for the stall time.
    ///
    /// @param minBytesPerSecond the minimum rate of the mount, or of `limits`
    boolean tooSlow(long nowNanos, long count, Limits.Paces limits, long minBytesPerSecond) {
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
        double owed = (double) late / NANOS_PER_SECOND * minBytesPerSecond;
        return moved + (count - countAtStart) < owed;
    }
}
