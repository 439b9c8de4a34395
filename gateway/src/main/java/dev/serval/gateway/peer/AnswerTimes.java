package dev.serval.gateway.peer;

import java.util.concurrent.atomic.AtomicLongArray;

/// A histogram of answer times of bounded size: four steps for each power of two, from 1 µs to
/// about 9 minutes. One loop writes; any thread reads.
final class AnswerTimes {
    private static final int STEP_BITS = 2;
    private static final int STEPS = 1 << STEP_BITS;
    private static final int BUCKETS = STEPS * 30;
    private static final long NANOS_PER_MICRO = 1000;

    private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

    /// Records one answer. Owned by the loop.
    void record(long nanos) {
        int bucket = bucketOf(nanos / NANOS_PER_MICRO);
        counts.setOpaque(bucket, counts.getPlain(bucket) + 1);
    }

    /// Adds the counts to `sums`.
    void addTo(long[] sums) {
        for (int i = 0; i < BUCKETS; i++) {
            sums[i] += counts.getOpaque(i);
        }
    }

    static long[] empty() {
        return new long[BUCKETS];
    }

    /// Returns the time that `share` of the answers did not exceed, in nanoseconds; 0 without
    /// answers.
    static long quantileNanos(long[] sums, double share) {
        long all = 0;
        for (long count : sums) {
            all += count;
        }
        long wanted = (long) Math.ceil(all * share);
        long seen = 0;
        for (int i = 0; i < BUCKETS && all > 0; i++) {
            seen += sums[i];
            if (seen >= wanted) {
                return upperMicros(i) * NANOS_PER_MICRO;
            }
        }
        return 0;
    }

    static int bucketOf(long micros) {
        if (micros < STEPS) {
            return (int) Math.max(0, micros);
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros);
        int step = (int) (micros >>> (power - STEP_BITS)) & (STEPS - 1);
        return Math.min(BUCKETS - 1, (power - STEP_BITS + 1) * STEPS + step);
    }

    /// Returns the first time above the bucket.
    static long upperMicros(int bucket) {
        if (bucket < STEPS) {
            return bucket + 1L;
        }
        int power = bucket / STEPS - 1 + STEP_BITS;
        long step = 1L << (power - STEP_BITS);
        return (1L << power) + (bucket % STEPS + 1) * step;
    }
}
