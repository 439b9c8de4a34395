package dev.serval.worker;

import dev.serval.loop.EventLoop;
import dev.serval.loop.LoopApplication;
import dev.serval.loop.Reports;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The Workers of one loop: those that are ready to run, and a list of all that have not ended. Owned by
/// the loop.
///
/// Workers that have begun run before new ones, in the order in which they became ready. They hold
/// what others wait for, such as a connection to a database, and new ones would only take more of it.
/// Each eighth is new if possible, as in the [CarrierPool]. The new ones that are expected to be short
/// run before the others ([FreshWorkers]). No more work at once than [#atMost] says, so that the others
/// wait until one of them ends.
///
/// In one part of each turn, the loop carries ready Workers, one after the other. The part ends
/// when none is ready or half a millisecond has passed. No state of the loop is in a local variable
/// meanwhile, so that another thread can continue with the loop.
@SuppressWarnings("exports") // only the engine creates it
public final class LoopWorkers implements LoopApplication {
    private static final String WORKER_FAILED =
            Reports.text("A callback of a Worker's job failed; the loop continues");
    private static final String TURN_FAILED =
            Reports.text("A step after a turn of an event loop failed; the loop continues");
    private static final String RELEASE_FAILED =
            Reports.text("Virtual threads that wait for sockets wait until another server starts");
    private static final long BUDGET_NANOS = 500_000;
    private static final int BUDGET_PARTS = 1024; // ends the part even if the clock stands still

    /// As many Workers run before the loop acts on more sockets. What they need, such as the heads
    /// of their requests, then stays in the processor's cache and is used again.
    private static final int READY_MAX = 32;

    /// Workers that take longer than this gain nothing from the cache. The loop then acts on all
    /// sockets, so that it knows how much work waits.
    private static final long READY_MAX_NANOS = 2_000_000;

    private final EventLoop loop;
    private final WorkerThreads threads;
    private final Ownership ownership = new Ownership();
    private @Nullable Watchdog watch;
    private Runnable afterTurn = () -> {};
    private final ReadyQueue begun = new ReadyQueue();
    private final FreshWorkers fresh = new FreshWorkers();
    private int taken; // ready Workers
    private @Nullable Worker newest; // of all that have not ended
    private int count;
    private @Nullable Worker current; // carried now
    private long untilNanos; // of this turn's part
    private int parts;

    /// Whether a standby thread can take the loop over, or none is needed.
    private volatile boolean guarded = true;

    private final List<SocketPoller> polled = new ArrayList<>();
    private boolean ending; // the server stops; used by the loop
    private volatile boolean left; // the loop has ended

    private volatile boolean exhausted; // no standby thread is available

    /// Creates the Workers of `loop`, which carries them from now on.
    ///
    /// @param threads creates their threads
    public LoopWorkers(EventLoop loop, WorkerThreads threads) {
        this.loop = loop;
        this.threads = threads;
        loop.carries(this);
    }

    /// Returns whether another Worker may start. None may start while no standby thread is
    /// available, or after [#end].
    public boolean mayStart() {
        return !exhausted && !ending;
    }

    /// Returns how long a Worker for `job` would wait until it begins, as far as the last ones tell.
    public long waitNanos(Job job) {
        if (fresh.mustWait(job) || isForLoop(job)) {
            return fresh.waitNanos(job, loop.nowNanos());
        }
        return threads.kind() == WorkerThreads.Kind.VIRTUAL
                ? threads.scheduled().waitNanos(loop.nowNanos())
                : threads.pool().waitNanos();
    }

    /// Returns the standing delay of Workers that this loop carries, since the last call. One thread
    /// at a time.
    public long standingNanos(long nowNanos) {
        return fresh.standingNanos(nowNanos);
    }

    /// Starts a Worker for `job`. The loop carries it after this turn's other work.
    public Worker start(Job job) {
        Worker worker = new Worker(this, job, loop.nowNanos());
        worker.prepare(threads); // may throw if out of memory
        keep(worker);
        if (fresh.mustWait(job) || isForLoop(job)) {
            ready(worker);
        } else {
            fresh.begins(worker);
            try {
                beginElsewhere(worker);
            } catch (Throwable e) { // as above
                worker.neverStarts();
                throw e;
            }
        }
        return worker;
    }

    /// Sets how many Workers may work at once, from their begin to their end. Called before the loop runs.
    public void atMost(int count) {
        fresh.atMost(count);
    }

    /// Notes a poller that the loop polls from now on, until [#leave] releases it. On the loop.
    public void polls(SocketPoller poller) {
        polled.add(poller);
    }

    /// Returns the number of Workers that have not ended.
    public int count() {
        return count;
    }

    /// Returns the number of Workers that wait to be carried.
    public int readyCount() {
        return begun.size() + fresh.size();
    }

    /// Returns the Workers that have not ended.
    public List<Worker> all() {
        List<Worker> all = new ArrayList<>(count);
        for (Worker one = newest; one != null; one = one.older) {
            all.add(one);
        }
        return all;
    }

    /// Tells the jobs that have not begun that the load has become critical, the oldest first.
    public void overloaded() {
        List<Worker> oldest = all().reversed();
        fresh.overloaded(oldest, loop.nowNanos());
        for (Worker one : oldest) {
            if (one.isPooled() && !one.started()) {
                boolean _ = one.job.overloaded(0);
            }
        }
    }

    /// Interrupts every Worker, because the server stops. No other Worker starts from now on.
    public void end() {
        ending = true;
        for (Worker one = newest; one != null; one = one.older) {
            one.interrupt();
        }
    }

    /// Moves the Workers in progress to the pool, because the loop ends. They continue there and
    /// release what they hold of the application. A thread that wakes a Worker either sees that it
    /// is pooled, or made it ready before the pool looks. The JDK's pollers that the loop polled get
    /// threads of their own.
    @Override
    public void leave() {
        left = true;
        for (Worker one = newest; one != null; one = one.older) {
            if (one.started()) {
                one.queueInPool();
            }
        }
        polled.forEach(this::release);
        polled.clear();
    }

    private void release(SocketPoller poller) {
        try {
            poller.release();
        } catch (Throwable e) { // such as no thread: the others are released all the same
            loop.report(RELEASE_FAILED, e);
        }
    }

    /// Returns the loop that carries the Workers.
    public EventLoop loop() {
        return loop;
    }

    /// Returns whether the loop has to carry the pool's Workers, because no thread of the pool is
    /// free. Any thread.
    boolean standsInForPool() {
        return threads.pool().isFull() && !left;
    }

    WorkerThreads threads() {
        return threads;
    }

    Ownership ownership() {
        return ownership;
    }

    /// Sets the watchdog, which is woken when application code runs.
    void watchedBy(Watchdog by) {
        watch = by;
    }

    /// Sets whether a standby thread can take the loop over. Without one, the loop runs no
    /// application code. Called by the watchdog.
    void guarded(boolean on) {
        guarded = on;
    }

    /// Sets whether no standby thread is available. Called by the watchdog.
    void exhausted(boolean on) {
        exhausted = on;
    }

    boolean isExhausted() {
        return exhausted;
    }

    /// Returns whether a Worker can be carried now.
    @Override
    public boolean hasReady() {
        return isWaiting() && (guarded || exhausted);
    }

    @Override
    public boolean hasEnough() {
        return readyCount() >= READY_MAX
                && hasReady()
                && fresh.waitNanos(loop.nowNanos()) < READY_MAX_NANOS;
    }

    /// Sets what follows the loop's own work of each turn. Called once, before the loop runs.
    public void afterTurn(Runnable action) {
        afterTurn = action;
    }

    @Override
    public void turned() {
        try {
            afterTurn.run();
        } catch (Throwable e) { // an exception must not end the loop
            loop.report(TURN_FAILED, e);
        }
    }

    private boolean isWaiting() {
        return !begun.isEmpty() || fresh.hasNext();
    }

    /// Adds a Worker to the end of its ready queue.
    void ready(Worker worker) {
        if (worker.isReady) {
            return;
        }
        worker.isReady = true;
        if (worker.started() || worker.workingAmong != null || worker.job.continues()) {
            begun.add(worker);
        } else {
            fresh.add(worker, loop.nowNanos());
        }
    }

    /// Carries ready Workers, and runs the commands that they submit.
    ///
    /// @return whether this thread still owns the loop; if not, it must not touch the loop
    @Override
    public boolean carryReady() {
        if (exhausted) {
            allToPool();
            return true;
        }
        loop.readClock(); // so that no job counts what the loop has done in this turn
        untilNanos = loop.nowNanos() + BUDGET_NANOS;
        parts = BUDGET_PARTS;
        while (isWaiting() && guarded && parts-- > 0 && loop.nowNanos() - untilNanos < 0) {
            if (!carry(takeFirst())) {
                return false;
            }
            loop.carryOutCommands();
        }
        return true;
    }

    /// Moves the current Worker to the pool and notifies its job. Called by the watchdog after it
    /// preempted the loop.
    void preempted() {
        @Nullable Worker held = current;
        if (held != null) {
            held.moveToPool();
            held.name();
            held.job.preempted();
        }
    }

    /// Has the pool carry the Workers that have begun and wait for the loop, because the loop's thread
    /// waits for a lock. One of them may have that lock, or be the next to get it: then it can only go
    /// on elsewhere. Called by the watchdog again and again while the loop waits. It reads the list
    /// without owning the loop, so it may miss a Worker, which the next call finds.
    void continueInPool() {
        for (Worker one = newest; one != null; one = one.older) {
            one.continueInPool();
        }
    }

    void forget(Worker worker) {
        fresh.ended(worker);
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

    private boolean isForLoop(Job job) {
        return threads.kind() == WorkerThreads.Kind.LOOP
                && (!job.prefersPool() || threads.pool().isFull());
    }

    private void beginElsewhere(Worker worker) {
        if (threads.kind() == WorkerThreads.Kind.LOOP) {
            worker.queueInPool();
        } else {
            worker.startElsewhere();
        }
    }

    /// Begins a Worker that has waited until another one ended.
    private void beginLate(Worker worker) {
        try {
            beginElsewhere(worker);
        } catch (Throwable e) { // such as no memory for a thread: the job learns it
            worker.end(e);
            notifyJob(worker, 0);
        }
    }

    private Worker takeFirst() {
        boolean newFirst = ++taken % CarrierPool.TURNS_OF_NEW == 0;
        boolean takesNew = begun.isEmpty() || (newFirst && fresh.hasNext());
        Worker worker = takesNew ? fresh.take(loop.nowNanos()) : begun.take();
        worker.isReady = false;
        return worker;
    }

    /// Carries one Worker until it parks or ends.
    private boolean carry(Worker worker) {
        if (worker.hasEnded()) { // cancelled while it was ready
            notifyJob(worker, 0);
            return true;
        }
        if (!worker.started() && !worker.isPooled() && !isForLoop(worker.job)) {
            beginLate(worker);
            return true;
        }
        current = worker;
        if (!worker.started()) {
            worker.job.begins(loop.nowNanos());
        }
        long from = loop.nowNanos();
        long entered = ownership.enter();
        wakeWatch();
        worker.carry();
        // Nothing of the loop may be touched before this succeeds.
        if (!ownership.leave(entered)) {
            worker.carriedElsewhere();
            return false;
        }
        current = null;
        notifyJob(worker, loop.readClock() - from);
        return true;
    }

    private void notifyJob(Worker worker, long nanos) {
        try {
            worker.job.carried(nanos);
            if (worker.hasEnded()) {
                worker.tell();
            } else {
                worker.name();
            }
        } catch (Throwable e) { // an exception must not end the loop
            loop.report(WORKER_FAILED, e);
        }
    }

    private void wakeWatch() {
        @Nullable Watchdog by = watch;
        if (by != null && by.isParked()) {
            by.wake();
        }
    }

    /// Moves the ready Workers to the pool, because no thread is left that could preempt the loop.
    private void allToPool() {
        for (int i = count; i > 0 && isWaiting(); i--) { // a refused Worker is ready again
            takeFirst().queueInPool();
        }
    }
}
