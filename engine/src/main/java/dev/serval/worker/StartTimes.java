package dev.serval.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// How long Workers waited for their start: counts for each power of two of microseconds. Written by
/// the loop, read by any thread.
public final class StartTimes {
    /// How many counts there are; the last one is for all that was longer.
    public static final int BUCKETS = 26;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] counts = new long[BUCKETS];

    StartTimes() {}

    void add(long nanos) {
        long micros = Math.max(0, nanos) / 1000;
        int bucket = Math.min(BUCKETS - 1, Long.SIZE - Long.numberOfLeadingZeros(micros));
        CELL.setOpaque(counts, bucket, counts[bucket] + 1);
    }

    /// Workers that waited less than `1 << bucket` microseconds, and not less than half of it.
    public long count(int bucket) {
        return (long) CELL.getOpaque(counts, bucket);
    }
}
