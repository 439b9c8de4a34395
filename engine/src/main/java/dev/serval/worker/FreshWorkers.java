package dev.serval.worker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The ready Workers of a loop that have not begun: the short ones, which begin first, and the others.
/// It also counts those that have begun and not ended.
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
///
/// With a limit ([#atMost]), at most that many Workers of the loop work at once, from their begin to
/// their end. What they keep in memory is bounded then, also if each of them waits, for a database
/// that has stopped for example. The last eighth is for short ones, so that long requests cannot take
/// every place. A Worker that [continues][Job#continues] a request does not count. Those that wait
/// begin before any that starts later.
final class FreshWorkers {
    private static final int SHORT_PART = 4;

    /// A part of the Workers that may work at once is for short ones.
    private static final int KEPT_PART = 8;

    /// After so many jobs, older ones count half.
    private static final int JOBS = 1024;

    private final Queue shortOnes = new Queue();
    private final Queue others = new Queue();
    private double sum; // of the expected times of jobs, in nanoseconds
    private double squares; // their sum
    private int jobs; // in both sums
    private int taken;
    private boolean limited;

    /// Sets how many may work at once.
    ///
    /// @throws IllegalArgumentException if it is none
    void atMost(int count) {
        if (count < 1) {
            throw new IllegalArgumentException(
                    "Applications must work on at least 1 request at once");
        }
        limited = count < Integer.MAX_VALUE;
        shortOnes.most = count;
        others.most = count - count / KEPT_PART;
    }

    /// Returns whether one may begin.
    boolean hasNext() {
        return hasNext(shortOnes) || hasNext(others);
    }

    /// Returns whether a Worker for `job` has to wait until others have ended or begun.
    boolean mustWait(Job job) {
        if (!limited || job.continues()) {
            return false;
        }
        Queue queue = queueFor(job.expectedNanos());
        return isFull(queue) || queue.ready.first() != null;
    }

    /// Counts a Worker that begins, until [#ended].
    void begins(Worker worker) {
        begins(worker, queueFor(worker.job.expectedNanos()));
    }

    private static void begins(Worker worker, Queue queue) {
        if (worker.workingAmong == null && !worker.job.continues()) {
            worker.workingAmong = queue;
            queue.working++;
        }
    }

    /// Counts a Worker no more that has ended, if it was counted.
    void ended(Worker worker) {
        @Nullable Queue among = worker.workingAmong;
        if (among != null) {
            worker.workingAmong = null;
            among.working--;
        }
    }

    int size() {
        return shortOnes.ready.size() + others.ready.size();
    }

    void add(Worker worker, long nowNanos) {
        long expected = worker.job.expectedNanos();
        note(expected);
        Queue queue = queueFor(expected);
        queue.starts.add(nowNanos);
        worker.starts = queue.starts;
        queue.ready.add(worker);
    }

    /// Removes the next Worker, if there is one.
    Worker take(long nowNanos) {
        boolean otherFirst = ++taken % CarrierPool.TURNS_OF_NEW == 0;
        boolean ofOthers = !hasNext(shortOnes) || (otherFirst && hasNext(others));
        Queue queue = ofOthers ? others : shortOnes;
        Worker worker = queue.ready.take();
        if (!worker.hasEnded()) { // it was not cancelled
            worker.starts = null;
            queue.starts.take(nowNanos);
            begins(worker, queue);
        }
        return worker;
    }

    /// Returns how long a Worker for `job` would wait until it begins.
    long waitNanos(Job job, long nowNanos) {
        return queueFor(job.expectedNanos()).starts.waitNanos(nowNanos);
    }

    /// Returns how long the present ones wait until the last of them begins.
    long waitNanos(long nowNanos) {
        return Math.max(shortOnes.starts.waitNanos(nowNanos), others.starts.waitNanos(nowNanos));
    }

    /// Returns the standing delay of the Workers that wait longest, since the last call. One thread at a
    /// time.
    long standingNanos(long nowNanos) {
        return Math.max(shortOnes.starts.look(nowNanos), others.starts.look(nowNanos));
    }

    /// Tells jobs that the load has become critical. A job that cancels its Worker shortens the wait of
    /// those that follow.
    ///
    /// @param waiting Workers of this loop, the oldest first
    void overloaded(List<Worker> waiting, long nowNanos) {
        overloaded(waiting, shortOnes.starts, nowNanos);
        overloaded(waiting, others.starts, nowNanos);
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

    private boolean hasNext(Queue queue) {
        @Nullable Worker next = queue.ready.first();
        return next != null && (!isFull(queue) || next.hasEnded());
    }

    private boolean isFull(Queue queue) {
        return queue.working >= queue.most || shortOnes.working + others.working >= shortOnes.most;
    }

    private Queue queueFor(long expectedNanos) {
        return isShort(expectedNanos) ? shortOnes : others;
    }

    /// Compares with the typical time, which is `squares / sum`.
    private boolean isShort(long expectedNanos) {
        return expectedNanos > 0 && SHORT_PART * sum * expectedNanos <= squares;
    }

    /// Workers of one kind, and how long they wait.
    static final class Queue {
        private final ReadyQueue ready = new ReadyQueue();
        private final StartQueue starts = new StartQueue();
        private int most = Integer.MAX_VALUE; // that work at once
        private int working;

        private Queue() {}
    }
}
