package dev.serval.servlet.session;

/// Bounds the unconfirmed sessions while the heap is short, so that a flood of clients without
/// cookies cannot exhaust it, however large the application makes a session.
///
/// A collection that leaves little room cuts the bound to three quarters of the unconfirmed
/// sessions, and one that leaves enough doubles it. Each collection counts once, because nothing is
/// known between two. Any thread.
final class FloodBound {
    /// The unconfirmed sessions that the bound never forbids, and at which readings begin.
    static final int UNCONFIRMED_MIN = 100;

    private static final long READ_NANOS = 10_000_000;

    private final int sessionsMax;
    private final HeapGauge gauge;
    private volatile int bound;
    private volatile long readNanos;
    private HeapGauge.Reading last = HeapGauge.Reading.NONE;

    FloodBound(int sessionsMax, HeapGauge gauge, long nowNanos) {
        this.sessionsMax = sessionsMax;
        this.gauge = gauge;
        this.bound = sessionsMax;
        this.readNanos = nowNanos;
    }

    /// Returns how many unconfirmed sessions may exist, after a reading of the heap if the last one
    /// is not recent.
    ///
    /// @param unconfirmed how many exist
    int unconfirmedMax(int unconfirmed, long nowNanos) {
        boolean matters = unconfirmed >= UNCONFIRMED_MIN || isCut();
        if (matters && nowNanos - readNanos > READ_NANOS) {
            readNanos = nowNanos;
            read(unconfirmed);
        }
        return bound;
    }

    /// Returns whether the heap is short.
    boolean isCut() {
        return bound < sessionsMax;
    }

    private synchronized void read(int unconfirmed) {
        HeapGauge.Reading now = gauge.latest();
        if (now.equals(last)) {
            return; // no collection since then
        }
        last = now;
        if (now.isShort()) {
            bound = Math.clamp(unconfirmed / 4L * 3, Math.min(UNCONFIRMED_MIN, bound), bound);
        } else {
            bound = (int) Math.min(sessionsMax, 2L * bound);
        }
    }
}
