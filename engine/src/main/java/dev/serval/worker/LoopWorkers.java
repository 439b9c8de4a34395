package dev.serval.worker;

import dev.serval.loop.EventLoop;
import dev.serval.loop.LoopApplication;
import dev.serval.loop.Reports;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The Workers of one loop: those that can go on, in the order in which they could, and all that have
/// not ended. Owned by the loop.
///
/// A part of a turn belongs to them: one after the other is carried, in application code, until none
/// is ready or half a millisecond is over. Nothing of the loop is in a local variable meanwhile, so
/// that another thread can go on with it.
@SuppressWarnings("exports") // made by the engine only
public final class LoopWorkers implements LoopApplication {
    private static final String WORKER_FAILED =
            Reports.text("What was told of a Worker failed; the loop goes on");
    private static final long BUDGET_NANOS = 500_000;
    private static final int BUDGET_PARTS = 1024; // where a clock stands still

    private final EventLoop loop;
    private final WorkerThreads threads;
    private final Ownership ownership = new Ownership();
    private final StartTimes startTimes = new StartTimes();
    private @Nullable Watchdog watch;
    private @Nullable Worker first; // ready
    private @Nullable Worker last;
    private @Nullable Worker newest; // not ended
    private int count;
    private @Nullable Worker current; // carried now
    private long untilNanos; // of this turn's part
    private int parts;

    /// A thread stands by to take the loop over, or nobody has to.
    private volatile boolean guarded = true;

    private volatile boolean left; // the loop has ended

    private volatile boolean exhausted; // and none can be had

    /// The Workers of `loop`, which carries them from now on.
    ///
    /// @param threads where they get their threads
    public LoopWorkers(EventLoop loop, WorkerThreads threads) {
        this.loop = loop;
        this.threads = threads;
        loop.carries(this);
    }

    /// Whether another Worker may start: not while no thread could be had to preempt the loop.
    public boolean mayStart() {
        return !exhausted;
    }

    /// Starts a Worker for `job`; it is carried when this turn's other work is done.
    public Worker start(Job job) {
        Worker worker = new Worker(this, job, loop.nowNanos());
        worker.prepare(threads); // may throw: there is no memory
        keep(worker);
        if (threads.kind() != WorkerThreads.Kind.LOOP) {
            try {
                worker.startElsewhere();
            } catch (Throwable e) { // likewise
                worker.neverStarts();
                throw e;
            }
        } else if (job.prefersPool() && !threads.pool().isFull()) {
            worker.queueInPool();
        } else {
            ready(worker);
        }
        return worker;
    }

    /// Workers that have not ended.
    public int count() {
        return count;
    }

    /// How long Workers waited for their start.
    public StartTimes startTimes() {
        return startTimes;
    }

    /// What every Worker does.
    public List<WorkerView> views() {
        List<WorkerView> views = new ArrayList<>(count);
        for (Worker one = newest; one != null; one = one.older) {
            views.add(WorkerView.of(one, loop.nowNanos()));
        }
        return views;
    }

    /// Interrupts every Worker: the server stops.
    public void interruptAll() {
        for (Worker one = newest; one != null; one = one.older) {
            one.interrupt();
        }
    }

    /// The loop ends: what is under way goes on in the pool, and gives back what it holds of the
    /// application. Whoever wakes a Worker either sees that it is pooled, or made it ready to run
    /// before the pool looks.
    @Override
    public void leave() {
        left = true;
        for (Worker one = newest; one != null; one = one.older) {
            if (one.started()) {
                one.queueInPool();
            }
        }
    }

    /// The loop that carries them.
    public EventLoop loop() {
        return loop;
    }

    /// Whether a Worker of the pool has to be carried here, as no thread of the pool is free. Any
    /// thread.
    boolean standsInForPool() {
        return threads.pool().isFull() && !left;
    }

    WorkerThreads threads() {
        return threads;
    }

    Ownership ownership() {
        return ownership;
    }

    /// Who is to be woken when application code runs.
    void watchedBy(Watchdog by) {
        watch = by;
    }

    /// Whether a thread stands by to take the loop over; without, no application code is run on it.
    /// By the watchdog.
    void guarded(boolean on) {
        guarded = on;
    }

    /// Whether none can be had. By the watchdog.
    void exhausted(boolean on) {
        exhausted = on;
    }

    boolean isExhausted() {
        return exhausted;
    }

    /// Whether there is something to carry at once.
    @Override
    public boolean hasReady() {
        return first != null && (guarded || exhausted);
    }

    /// Puts a Worker behind those that are ready.
    void ready(Worker worker) {
        if (worker.isReady) {
            return;
        }
        worker.isReady = true;
        @Nullable Worker before = last;
        if (before == null) {
            first = worker;
        } else {
            before.nextReady = worker;
        }
        last = worker;
    }

    /// Carries Workers, and what they lead to on the loop.
    ///
    /// @return whether the loop is still this thread's; if not, nothing of it may be touched
    @Override
    public boolean carryReady() {
        if (exhausted) {
            allToPool();
            return true;
        }
        untilNanos = loop.nowNanos() + BUDGET_NANOS; // as read when the turn began
        parts = BUDGET_PARTS;
        while (first != null && guarded && parts-- > 0 && loop.nowNanos() - untilNanos < 0) {
            if (!carry(takeFirst())) {
                return false;
            }
            loop.readClock();
            loop.carryOutCommands();
        }
        return true;
    }

    /// What the watchdog does for the loop it took: its present Worker goes on in the pool, and
    /// learns from it.
    void preempted() {
        @Nullable Worker held = current;
        if (held != null) {
            held.moveToPool();
            held.name();
            held.job.preempted();
        }
    }

    void forget(Worker worker) {
        @Nullable Worker newer = worker.newer;
        @Nullable Worker older = worker.older;
        if (newer != null) {
            newer.older = older;
        } else {
            newest = older;
        }
        if (older != null) {
            older.newer = newer;
        }
        worker.newer = null;
        worker.older = null;
        count--;
    }

    private void keep(Worker worker) {
        @Nullable Worker before = newest;
        worker.older = before;
        if (before != null) {
            before.newer = worker;
        }
        newest = worker;
        count++;
    }

    private Worker takeFirst() {
        @Nullable Worker worker = first;
        if (worker == null) {
            throw new IllegalStateException("No Worker is ready");
        }
        first = worker.nextReady;
        if (first == null) {
            last = null;
        }
        worker.nextReady = null;
        worker.isReady = false;
        return worker;
    }

    /// One part of one Worker.
    private boolean carry(Worker worker) {
        if (worker.hasEnded()) {
            worker.tell(); // cancelled while it was ready
            return true;
        }
        current = worker;
        long entered = ownership.enter();
        wakeWatch();
        worker.carry(loop.nowNanos());
        // Nothing of the loop may be touched before this succeeds.
        if (!ownership.leave(entered)) {
            worker.carriedElsewhere();
            return false;
        }
        current = null;
        try {
            carried(worker);
        } catch (Throwable e) { // must not end the loop
            loop.report(WORKER_FAILED, e);
        }
        return true;
    }

    private static void carried(Worker worker) {
        worker.job.carried();
        if (worker.hasEnded()) {
            worker.tell();
        } else {
            worker.name();
        }
    }

    private void wakeWatch() {
        @Nullable Watchdog by = watch;
        if (by != null && by.isParked()) {
            by.wake();
        }
    }

    /// No thread is left that could preempt the loop: it must not be lent any more.
    private void allToPool() {
        for (int i = count; i > 0 && first != null; i--) { // one that finds no room comes back
            takeFirst().queueInPool();
        }
    }
}
