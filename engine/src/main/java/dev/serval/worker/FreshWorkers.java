package dev.serval.worker;

import java.util.List;

/// The ready Workers of a loop that have not begun: the short ones, which run first, and the others.
///
/// A page has pictures and scripts, many of which an application makes or looks up in a moment. If each
/// of them waited behind all pages, a visitor would wait once for every step of a page. Behind each
/// other, all of them wait less, and the pages hardly longer.
///
/// A Worker is short if its job is expected to take at most a quarter of the typical time. The typical
/// time is that of the request which the loop is most likely to be busy with at any moment: the mean in
/// which each request counts as often as it is long. So no Worker is short if all take the same time.
///
/// Each eighth Worker is one of the others if one waits, so that short ones cannot keep them from their
/// begin. Owned by the loop; any thread may ask for the standing delay.
final class FreshWorkers {
    private static final int SHORT_PART = 4;

    /// After so many jobs, older ones count half.
    private static final int JOBS = 1024;

    private final ReadyQueue shortOnes = new ReadyQueue();
    private final ReadyQueue others = new ReadyQueue();
    private final StartQueue startsOfShort = new StartQueue();
    private final StartQueue startsOfOthers = new StartQueue();
    private double sum; // of the expected times of jobs
    private double squares;
    private int jobs;
    private int taken;

    boolean isEmpty() {
        return shortOnes.isEmpty() && others.isEmpty();
    }

    int size() {
        return shortOnes.size() + others.size();
    }

    void add(Worker worker, long nowNanos) {
        long expected = worker.job.expectedNanos();
        note(expected);
        boolean first = isShort(expected);
        StartQueue starts = first ? startsOfShort : startsOfOthers;
        starts.add(nowNanos);
        worker.starts = starts;
        (first ? shortOnes : others).add(worker);
    }

    /// Removes the next Worker.
    Worker take(long nowNanos) {
        boolean otherFirst = ++taken % CarrierPool.TURNS_OF_NEW == 0;
        boolean ofOthers = shortOnes.isEmpty() || (otherFirst && !others.isEmpty());
        Worker worker = (ofOthers ? others : shortOnes).take();
        StartQueue starts = ofOthers ? startsOfOthers : startsOfShort;
        worker.starts = null;
        if (worker.hasEnded()) { // cancelled while it was ready
            starts.drop();
        } else {
            starts.take(nowNanos);
        }
        return worker;
    }

    /// Returns how long a Worker for `job` would wait until it begins.
    long waitNanos(Job job, long nowNanos) {
        return (isShort(job.expectedNanos()) ? startsOfShort : startsOfOthers).waitNanos(nowNanos);
    }

    /// Returns how long the present ones wait until the last of them begins.
    long waitNanos(long nowNanos) {
        return Math.max(startsOfShort.waitNanos(nowNanos), startsOfOthers.waitNanos(nowNanos));
    }

    /// Returns the standing delay of the Workers that wait longest, since the last call. One thread at a
    /// time.
    long standingNanos(long nowNanos) {
        return Math.max(startsOfShort.look(nowNanos), startsOfOthers.look(nowNanos));
    }

    /// Tells jobs that the load has become critical. A job that cancels its Worker shortens the wait of
    /// those that follow.
    ///
    /// @param waiting Workers of this loop, the oldest first
    void overloaded(List<Worker> waiting, long nowNanos) {
        overloaded(waiting, startsOfShort, nowNanos);
        overloaded(waiting, startsOfOthers, nowNanos);
    }

    private static void overloaded(List<Worker> waiting, StartQueue starts, long nowNanos) {
        int left = starts.waiting();
        for (Worker one : waiting) {
            if (starts.equals(one.starts) && !one.hasEnded()) {
                left -= one.job.overloaded(starts.waitNanos(left, nowNanos)) ? 1 : 0;
            }
        }
    }

    private void note(long nanos) {
        if (++jobs > JOBS) {
            jobs = JOBS / 2;
            sum /= 2;
            squares /= 2;
        }
        sum += nanos;
        squares += (double) nanos * nanos;
    }

    private boolean isShort(long nanos) {
        return nanos > 0 && SHORT_PART * sum * nanos <= squares;
    }
}
