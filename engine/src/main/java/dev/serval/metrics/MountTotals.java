package dev.serval.metrics;

import java.util.Arrays;

/// Sums the requests of many mounts, on one loop or on all, without an object for each. One thread.
public final class MountTotals {
    final long[] responses = new long[2 * MountTimes.CLASSES];
    final long[] counts = new long[TimeBuckets.COUNT];
    long sumNanos;

    /// Creates sums of nothing.
    public MountTotals() {}

    /// Returns the sums so far, without phases.
    public MountFigures figures(String name) {
        Distribution[] phases = new Distribution[RequestPhase.values().length];
        Arrays.fill(phases, Distribution.NONE);
        return new MountFigures(
                name, responses.clone(), new Distribution(counts.clone(), sumNanos), phases);
    }
}
