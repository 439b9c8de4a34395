package dev.serval.metrics;

import java.util.Arrays;

/// The times that histograms have counted, at one moment or between two moments. Immutable.
public final class Distribution {
    /// No times.
    public static final Distribution NONE = new Distribution(new long[TimeBuckets.COUNT], 0);

    private final long[] counts;
    private final long count;
    private final long sumNanos;

    /// Takes the array over.
    Distribution(long[] counts, long sumNanos) {
        this.counts = counts;
        this.count = Arrays.stream(counts).sum();
        this.sumNanos = sumNanos;
    }

    /// Returns the number of times.
    public long count() {
        return count;
    }

    /// Returns the sum of the times, in nanoseconds.
    public long sumNanos() {
        return sumNanos;
    }

    /// Returns the number of times that are not longer than `nanos`, which should be a bound of
    /// [TimeBuckets]. For other values it is that of the next lower bound.
    public long countUpTo(long nanos) {
        long sum = 0;
        for (int i = 0; i < counts.length && TimeBuckets.boundNanos(i) <= nanos; i++) {
            sum += counts[i];
        }
        return sum;
    }

    /// Returns the time that the given part of the times does not exceed, as near as the buckets allow:
    /// times are taken to be spread evenly within a bucket. Returns 0 without times.
    ///
    /// @param part from 0 to 1, such as 0.99
    public long quantileNanos(double part) {
        double rank = Math.clamp(part, 0.0, 1.0) * count;
        long before = 0;
        int longest = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                longest = i;
                if (before + counts[i] >= rank) {
                    return within(i, (rank - before) / counts[i]);
                }
            }
            before += counts[i];
        }
        return count == 0 ? 0 : within(longest, 1);
    }

    /// Returns these times and others.
    public Distribution plus(Distribution other) {
        return combined(other, 1);
    }

    /// Returns the times that came after an earlier reading of the same histograms.
    public Distribution minus(Distribution earlier) {
        return combined(earlier, -1);
    }

    private Distribution combined(Distribution other, int sign) {
        long[] all = counts.clone();
        for (int i = 0; i < all.length; i++) {
            all[i] = Math.max(0, all[i] + sign * other.counts[i]);
        }
        return new Distribution(all, Math.max(0, sumNanos + sign * other.sumNanos));
    }

    private static long within(int bucket, double part) {
        long low = bucket == 0 ? 0 : TimeBuckets.boundNanos(bucket - 1);
        if (bucket == TimeBuckets.COUNT - 1) {
            return low; // nothing is known beyond the last bound
        }
        return low + (long) ((TimeBuckets.boundNanos(bucket) - low) * part);
    }
}
