package dev.serval.net;

/// Counts the connections that a loop accepts. Owned by the loop.
final class AcceptRate {
    private static final long WINDOW_NANOS = 100_000_000;

    private long sinceNanos;
    private int counted; // in this window
    private int before; // in the window before

    AcceptRate(long nowNanos) {
        this.sinceNanos = nowNanos;
    }

    /// Counts a connection.
    void count(long nowNanos) {
        move(nowNanos);
        counted++;
    }

    /// Returns how many were accepted in the last 100 to 200 ms.
    int lately(long nowNanos) {
        move(nowNanos);
        return before + counted;
    }

    private void move(long nowNanos) {
        long age = nowNanos - sinceNanos;
        if (age < WINDOW_NANOS) {
            return;
        }
        before = age < 2 * WINDOW_NANOS ? counted : 0;
        counted = 0;
        sinceNanos = age < 2 * WINDOW_NANOS ? sinceNanos + WINDOW_NANOS : nowNanos;
    }
}
