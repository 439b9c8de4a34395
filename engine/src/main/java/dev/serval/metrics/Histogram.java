package dev.serval.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Counts times in the buckets of [TimeBuckets]. One thread at a time records, such as the owner of an
/// event loop. Any thread may read. A reader may miss what is recorded meanwhile.
public final class Histogram {
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int SUM = TimeBuckets.COUNT; // the cell after the buckets

    private final long[] cells = new long[TimeBuckets.COUNT + 1];

    /// Creates a histogram without times.
    public Histogram() {}

    /// Records a time.
    public void record(long nanos) {
        record(nanos, 1);
    }

    /// Records the same time for several events.
    public void record(long nanos, int events) {
        add(TimeBuckets.of(nanos), events);
        add(SUM, Math.max(0, nanos) * events);
    }

    /// Returns what was recorded so far. Any thread.
    public Distribution read() {
        long[] counts = new long[TimeBuckets.COUNT];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = (long) CELL.getOpaque(cells, i);
        }
        return new Distribution(counts, (long) CELL.getOpaque(cells, SUM));
    }

    /// Adds what was recorded so far. Any thread.
    void addTo(MountTotals sums) {
        for (int i = 0; i < TimeBuckets.COUNT; i++) {
            sums.counts[i] += (long) CELL.getOpaque(cells, i);
        }
        sums.sumNanos += (long) CELL.getOpaque(cells, SUM);
    }

    private void add(int cell, long n) {
        CELL.setOpaque(cells, cell, cells[cell] + n);
    }
}
