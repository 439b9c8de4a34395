package dev.serval.worker;

import dev.serval.loop.Clock;
import dev.serval.loop.EventLoop;
import dev.serval.loop.Reports;
import dev.serval.loop.ThreadClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The threads of a server's loops. Each loop has one thread that runs it and one standby thread.
/// If application code keeps the running thread, the [Watchdog] gives the loop to the standby
/// thread, and finds another standby thread.
///
/// Application code may keep threads for ever, up to a limit. Beyond the limit, the loops carry no
/// more application code, and the pool carries the Workers in progress. If the limit is zero, no
/// loop is preempted.
///
/// The lock is held for a few instructions by the watchdog and by threads between two loops, never
/// by a loop or a Worker.
@SuppressWarnings("exports") // only the engine creates it
public final class Carriers {
    private static final String NO_THREAD =
            Reports.text("No standby thread could be started for an event loop");
    private static final String DIED = Reports.text("A thread of the event loops died");
    private static final String UNNAMED = Reports.text("A thread could not be named");
    private static final String PREEMPT_FAILED =
            Reports.text("Preparing a preempted event loop failed; the loop continues");
    private static final String LOCKED =
            Reports.text("An event loop waits for a lock, so the pool carries its Workers");
    private static final long RETRY_NANOS = 100_000_000;
    private static final int IDLE_MAX = 16; // besides the standby thread of each loop

    private final int keptMax;
    private final long stackBytes;
    private final Clock clock;
    private final Reports reports;
    private final List<Watchdog.Post> posts = new ArrayList<>();
    private final Watchdog watchdog;
    private final CountDownLatch running;
    private final Object lock = new Object();
    private final ArrayDeque<Carrier> idle = new ArrayDeque<>();
    private final List<Carrier> all = new ArrayList<>();
    private volatile int kept; // changed under the lock
    private volatile long preemptions; // changed under the lock
    private volatile long locked; // changed under the lock
    private boolean closed;
    private long retryNanos; // no new thread is started before, after a failure
    private boolean failing;

    /// Creates the threads for these loops; none runs before [#start].
    ///
    /// @param loops the Workers of every loop of a server
    /// @param keptMax the limit of threads that application code keeps at a time; if 0, no loop is
    ///     ever preempted
    /// @param stackBytes the stack size of each thread, which limits how deep application code may
    ///     call
    /// @param computed tells code that computes from code whose thread gets no processor
    /// @param reports receives reports of stuck loops and other faults
    public Carriers(
            List<LoopWorkers> loops,
            int keptMax,
            long stackBytes,
            Clock clock,
            ThreadClock computed,
            Reports reports) {
        this.keptMax = keptMax;
        this.stackBytes = stackBytes;
        this.clock = clock;
        this.reports = reports;
        this.running = new CountDownLatch(loops.size());
        for (LoopWorkers workers : loops) {
            posts.add(new Watchdog.Post(workers));
        }
        this.watchdog = new Watchdog(this, posts, clock, computed, reports);
    }

    /// Starts the loops.
    public void start() {
        for (Watchdog.Post post : posts) {
            post.workers().watchedBy(watchdog);
            post.workers().guarded(keptMax == 0);
            standIn(post);
            @Nullable Carrier first = take();
            if (first == null) {
                throw new IllegalStateException("No thread could be started for an event loop");
            }
            post.runner = first;
            first.assign(post.loop);
        }
        watchdog.thread().start();
    }

    /// Waits until every loop has ended, then ends the threads. A thread that application code
    /// keeps ends when the code returns.
    public void awaitEnd() {
        boolean interrupted = false;
        while (true) {
            try {
                running.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        watchdog.close();
        WorkerThreads.awaitEnd(watchdog.thread());
        List<Carrier> left;
        synchronized (lock) {
            closed = true;
            for (Watchdog.Post post : posts) {
                @Nullable Carrier standby = post.standby;
                if (standby != null) {
                    idle.addLast(standby);
                    post.standby = null;
                }
            }
            left = List.copyOf(idle);
            idle.clear();
        }
        for (Carrier one : left) {
            one.dismiss();
            WorkerThreads.awaitEnd(one.thread());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns how often a loop was preempted. Any thread.
    public long preemptions() {
        return preemptions;
    }

    /// Returns how often a loop waited so long for a lock that the pool got its Workers. Any thread.
    public long locked() {
        return locked;
    }

    /// Returns how many threads application code keeps now. Any thread.
    public int kept() {
        return kept;
    }

    /// Returns the threads that run loops, stand by, or are kept. Any thread.
    public List<Thread> threads() {
        synchronized (lock) {
            return all.stream().map(Carrier::thread).toList();
        }
    }

    Watchdog watchdog() {
        return watchdog;
    }

    /// Finds a standby thread for `post` if it has none. For the watchdog.
    void standIn(Watchdog.Post post) {
        if (post.standby != null || keptMax == 0) {
            return;
        }
        @Nullable Carrier found = kept < keptMax ? take() : null;
        boolean none = found == null;
        if (none && post.workers().isExhausted()) {
            return; // the state has not changed
        }
        post.standby = found;
        post.workers().exhausted(none);
        post.workers().guarded(!none);
        post.loop.submit(post.nudge);
    }

    /// Gives the loop to its standby thread, if application code still keeps it. For the watchdog.
    void preempt(Watchdog.Post post, long word) {
        @Nullable Carrier next = post.standby;
        if (next == null || !post.workers().ownership().preempt(word)) {
            return;
        }
        post.standby = null;
        synchronized (lock) {
            preemptions = preemptions + 1;
            kept = kept + 1;
        }
        post.workers().guarded(false);
        try {
            post.workers().preempted();
            @Nullable Thread former = post.loop.owner();
            if (former != null) {
                WorkerThreads.name(former, "serval-kept");
            }
        } catch (Throwable e) { // the loop must get its thread in any case
            reports.fault(PREEMPT_FAILED, e);
        } finally {
            post.runner = next;
            next.assign(post.loop);
        }
        standIn(post);
    }

    /// Has the pool carry the Workers of a loop whose thread waits for a lock. For the watchdog.
    ///
    /// @param first whether this is the first call since the thread began to wait
    void passLock(Watchdog.Post post, boolean first) {
        if (first) {
            synchronized (lock) {
                locked = locked + 1;
            }
            Throwable where = new IllegalStateException("The event loop waits here");
            @Nullable Thread owner = post.loop.owner();
            if (owner != null) {
                where.setStackTrace(owner.getStackTrace());
            }
            reports.lost(LOCKED, where);
        }
        post.workers().continueInPool();
    }

    /// Records that a loop has ended. Runs on the thread of that loop.
    void ended(EventLoop loop) {
        running.countDown();
    }

    /// Reports that a thread that runs loops cannot continue.
    void died(Throwable why) {
        reports.fatal(DIED, why);
    }

    /// Reports that a thread could not be renamed.
    void unnamed(Throwable why) {
        reports.fault(UNNAMED, why);
    }

    /// Records that a thread has no loop any more.
    ///
    /// @param wasKept whether application code kept the thread
    void standsBy(Carrier carrier, boolean wasKept) {
        boolean dismiss;
        synchronized (lock) {
            if (wasKept) {
                kept = kept - 1;
            }
            dismiss = wasKept && (closed || idle.size() >= IDLE_MAX);
            if (dismiss) {
                all.remove(carrier);
            } else {
                idle.addLast(carrier);
            }
        }
        if (dismiss) {
            carrier.dismiss();
        } else if (wasKept) {
            watchdog.wake(); // a loop may need a standby thread
        }
    }

    private @Nullable Carrier take() {
        synchronized (lock) {
            @Nullable Carrier carrier = idle.pollLast();
            if (carrier != null) {
                return carrier;
            }
        }
        if (failing && clock.nanos() - retryNanos < 0) {
            return null;
        }
        Carrier made = new Carrier(this, stackBytes);
        try {
            made.thread().start();
        } catch (OutOfMemoryError e) { // the system has no more threads
            retryNanos = clock.nanos() + RETRY_NANOS;
            if (!failing) {
                failing = true;
                reports.fault(NO_THREAD, e);
            }
            return null;
        }
        failing = false;
        synchronized (lock) {
            all.add(made);
        }
        return made;
    }
}
