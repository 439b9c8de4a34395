package dev.serval.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// A histogram of how long Workers waited for their start, with a count for each power of two of
/// microseconds. Written by the loop, read by any thread.
public final class StartTimes {
    /// The number of counts. The last one includes all longer waits.
    public static final int BUCKETS = 26;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] counts = new long[BUCKETS];

    StartTimes() {}

    void add(long nanos) {
        long micros = Math.max(0, nanos) / 1000;
        int bucket = Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(micros));
        CELL.setOpaque(counts, bucket, counts[bucket] + 1);
    }

    /// Returns how many Workers waited at least `1 << (bucket - 1)` and less than `1 << bucket`
    /// microseconds.
    public long count(int bucket) {
        return (long) CELL.getOpaque(counts, bucket);
    }
}
