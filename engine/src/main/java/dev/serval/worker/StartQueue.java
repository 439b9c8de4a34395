package dev.serval.worker;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// How long new work waits in a queue until it begins. The queue reports each piece that it adds and
/// takes. The estimate is the number of pieces that wait, times the mean time between two that begin
/// one after the other. The mean is one of the last 64 or so, because they begin in bursts: if many
/// Workers that have begun can go on at once, new ones have to wait, but not for long.
///
/// One long time between two, such as a collection of garbage, counts as at most four times the mean, or
/// 1 ms if that is more.
///
/// Few samples mislead: the first requests load classes, and a burst of others waits behind them for a
/// moment only. So the first estimates are at most as long as work has waited without a break. This
/// bound grows with the samples, up to four times as long, and then ends.
///
/// The standing delay is that of the piece that had the fewest before it since the last look. A short
/// burst does not raise it, because the queue becomes empty again.
///
/// A queue that several threads use counts by [#addShared] and [#takeShared], and that of one thread
/// by [#add] and [#take]. Any thread reads. A race of two threads that take loses one sample.
final class StartQueue {
    private static final int SAMPLES_OF_MEAN = 64;
    private static final int OUTLIER_TIMES = 4;
    private static final long SHORT_NANOS = 1_000_000;
    private static final int TRUSTED_SAMPLES = 256;
    private static final int UNTRUSTED_STEP = 64; // after which the bound is as long once more
    private static final long NOTHING_WAITS = Long.MIN_VALUE;
    private static final VarHandle WAITING = handle("waiting", int.class);
    private static final VarHandle FEWEST = handle("fewest", int.class);
    private static final VarHandle GAP = handle("gapNanos", long.class);
    private static final VarHandle TAKEN = handle("takenNanos", long.class);
    private static final VarHandle SINCE = handle("sinceNanos", long.class);
    private static final VarHandle SAMPLES = handle("samples", int.class);

    @SuppressWarnings("UnusedVariable") // used by WAITING
    private int waiting;

    @SuppressWarnings("UnusedVariable") // used by FEWEST: that waited at a time since the last look
    private int fewest;

    @SuppressWarnings("UnusedVariable") // used by GAP: between two pieces, while others wait
    private long gapNanos;

    @SuppressWarnings("UnusedVariable") // used by TAKEN: when the last piece left others behind
    private long takenNanos = NOTHING_WAITS;

    @SuppressWarnings("UnusedVariable") // used by SINCE: when a piece came to the empty queue
    private long sinceNanos;

    @SuppressWarnings("UnusedVariable") // used by SAMPLES: of the gap, as far as they count
    private int samples;

    /// Counts a piece that waits. One thread.
    void add(long nowNanos) {
        added(waiting + 1, nowNanos);
        WAITING.setOpaque(this, waiting + 1);
    }

    /// Counts a piece that begins. The thread of [#add].
    void take(long nowNanos) {
        WAITING.setOpaque(this, waiting - 1);
        taken(waiting, nowNanos);
    }

    /// Counts a piece that waits. Any thread.
    void addShared(long nowNanos) {
        added((int) WAITING.getAndAdd(this, 1) + 1, nowNanos);
    }

    /// Counts a piece that leaves the queue without a begin, because it was cancelled. That takes no
    /// time, so it tells nothing about the wait of others. The thread of [#add].
    void drop() {
        WAITING.setOpaque(this, waiting - 1);
        left(waiting);
    }

    /// Counts a piece that leaves the queue as by [#drop]. Any thread.
    void dropShared() {
        left((int) WAITING.getAndAdd(this, -1) - 1);
    }

    /// Counts a piece that begins. Any thread.
    void takeShared(long nowNanos) {
        taken((int) WAITING.getAndAdd(this, -1) - 1, nowNanos);
    }

    /// Returns how many pieces wait.
    int waiting() {
        return (int) WAITING.getOpaque(this);
    }

    /// Returns how long another piece would wait, as far as the last ones tell. If none has begun for
    /// longer than usual, that time counts, too.
    long waitNanos(long nowNanos) {
        return waitNanos(waiting(), nowNanos);
    }

    /// Returns how long another piece would wait if only `count` waited.
    long waitNanos(int count, long nowNanos) {
        if (count <= 0) {
            return 0;
        }
        long gap = (long) GAP.getOpaque(this);
        long since = (long) TAKEN.getOpaque(this);
        long late = since == NOTHING_WAITS ? 0 : nowNanos - since - gap;
        long estimate = count * gap + Math.max(0, late);
        int known = (int) SAMPLES.getOpaque(this);
        if (known >= TRUSTED_SAMPLES) {
            return estimate;
        }
        long waited = Math.max(0, nowNanos - (long) SINCE.getOpaque(this));
        return Math.min(estimate, (1 + known / UNTRUSTED_STEP) * waited);
    }

    /// Returns the standing delay since the last look, which this is. One thread at a time.
    long look(long nowNanos) {
        int least = (int) FEWEST.getOpaque(this);
        FEWEST.setOpaque(this, waiting());
        return waitNanos(Math.min(least, waiting()), nowNanos);
    }

    private void added(int now, long nowNanos) {
        if (now == 1) { // from here on, time passes for it
            TAKEN.setOpaque(this, nowNanos);
            SINCE.setOpaque(this, nowNanos);
        }
    }

    private void taken(int left, long nowNanos) {
        long since = (long) TAKEN.getOpaque(this);
        if (left > 0) {
            if (since != NOTHING_WAITS) {
                long before = (long) GAP.getOpaque(this);
                long sample = Math.max(0, nowNanos - since);
                int known = (int) SAMPLES.getOpaque(this);
                GAP.setOpaque(this, known == 0 ? sample : mean(before, sample, known));
                if (known < TRUSTED_SAMPLES) {
                    SAMPLES.setOpaque(this, known + 1);
                }
            }
            TAKEN.setOpaque(this, nowNanos);
        } else {
            TAKEN.setOpaque(this, NOTHING_WAITS);
        }
        left(left);
    }

    private void left(int left) {
        if (left < (int) FEWEST.getOpaque(this)) {
            FEWEST.setOpaque(this, left);
        }
    }

    private static long mean(long before, long sample, int known) {
        long most = Math.max(OUTLIER_TIMES * before, SHORT_NANOS);
        return before + (Math.min(sample, most) - before) / Math.min(known + 1, SAMPLES_OF_MEAN);
    }

    private static VarHandle handle(String field, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(StartQueue.class, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
