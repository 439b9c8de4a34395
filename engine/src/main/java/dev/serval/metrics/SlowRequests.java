package dev.serval.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The slowest requests of one loop: those of the present period, and those of the one before. A
/// [PathGroup] has few of them, so that one slow page does not hide the others. Text is made only for a
/// request that is among the slowest of its period and group. Owned by the loop; any thread may read.
final class SlowRequests {
    /// The most requests of a period.
    static final int MAX = 32;

    /// The most requests of a period and of one group.
    static final int OF_GROUP_MAX = 3;

    /// Requests that took less are never among them.
    static final long LEAST_NANOS = 10_000_000;

    static final long PERIOD_NANOS = 300_000_000_000L;

    private static final int NO_SLOT = -1;

    private final AtomicReferenceArray<@Nullable SlowRequest> slots =
            new AtomicReferenceArray<>(2 * MAX); // of both periods
    private int from; // of the present period
    private int used; // in the present period
    private int shortest; // the slot of the request that would be dropped
    private long floorNanos = LEAST_NANOS;
    private long endsNanos;
    private boolean begun;

    /// Returns whether a request that took so long may belong here.
    boolean takes(long totalNanos, long nowNanos) {
        return totalNanos >= LEAST_NANOS
                && (totalNanos > floorNanos || !begun || nowNanos - endsNanos >= 0);
    }

    /// Adds a request that [#takes] accepts. It takes the place of the shortest one of its group if that
    /// is full, otherwise of the shortest one of the period if that is full.
    ///
    /// @param mount the name of its mount
    void add(EndedRequest request, String mount, long nowNanos) {
        if (!begun || nowNanos - endsNanos >= 0) {
            beginPeriod(nowNanos);
        }
        int slot = slot(request.group(), SlowRequest.nanosWithHead(request));
        if (slot != NO_SLOT) {
            slots.setRelease(slot, SlowRequest.of(request, mount));
            findShortest();
        }
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

    /// Returns the slot for a request, or [#NO_SLOT] if its group is full of slower ones.
    private int slot(long group, long totalNanos) {
        int ofGroup = 0;
        int shortestOfGroup = NO_SLOT;
        long least = Long.MAX_VALUE;
        for (int i = from; i < from + used; i++) {
            @Nullable SlowRequest one = slots.getPlain(i);
            if (one != null && one.group() == group) {
                ofGroup++;
                if (one.totalNanos() < least) {
                    least = one.totalNanos();
                    shortestOfGroup = i;
                }
            }
        }
        if (ofGroup == OF_GROUP_MAX) {
            return least < totalNanos ? shortestOfGroup : NO_SLOT;
        }
        return used < MAX ? from + used++ : shortest;
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
