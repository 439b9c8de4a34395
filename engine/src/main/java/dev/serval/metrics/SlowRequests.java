package dev.serval.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The slowest requests of one loop: those of the present period, and those of the one before. Text is
/// made only for a request that is among the slowest of its period. Owned by the loop; any thread may
/// read.
final class SlowRequests {
    /// The most requests of a period.
    static final int MAX = 16;

    /// Requests that took less are never among them.
    static final long LEAST_NANOS = 10_000_000;

    static final long PERIOD_NANOS = 300_000_000_000L;

    private final AtomicReferenceArray<@Nullable SlowRequest> slots =
            new AtomicReferenceArray<>(2 * MAX); // of both periods
    private int from; // of the present period
    private int used; // in the present period
    private int shortest; // the slot of the request that would be dropped
    private long floorNanos = LEAST_NANOS;
    private long endsNanos;
    private boolean begun;

    /// Returns whether a request that took so long belongs here.
    boolean takes(long totalNanos, long nowNanos) {
        return totalNanos >= LEAST_NANOS
                && (totalNanos > floorNanos || !begun || nowNanos - endsNanos >= 0);
    }

    /// Adds a request that [#takes] accepts, in place of the shortest one if the period is full.
    void add(SlowRequest request, long nowNanos) {
        if (!begun || nowNanos - endsNanos >= 0) {
            beginPeriod(nowNanos);
        }
        int slot = used < MAX ? from + used++ : shortest;
        slots.setRelease(slot, request);
        findShortest();
    }

    /// Returns the requests of both periods. Any thread.
    List<SlowRequest> read() {
        List<SlowRequest> read = new ArrayList<>();
        for (int i = 0; i < slots.length(); i++) {
            @Nullable SlowRequest one = slots.getAcquire(i);
            if (one != null) {
                read.add(one);
            }
        }
        return read;
    }

    private void beginPeriod(long nowNanos) {
        begun = true;
        endsNanos = nowNanos + PERIOD_NANOS;
        from = MAX - from;
        used = 0;
        for (int i = 0; i < MAX; i++) {
            slots.setRelease(from + i, null);
        }
    }

    private void findShortest() {
        shortest = from;
        long least = Long.MAX_VALUE;
        for (int i = from; i < from + used; i++) {
            @Nullable SlowRequest one = slots.getPlain(i);
            if (one != null && one.totalNanos() < least) {
                least = one.totalNanos();
                shortest = i;
            }
        }
        floorNanos = used < MAX ? LEAST_NANOS - 1 : least;
    }
}
