package dev.serval.worker;

import dev.serval.loop.Command;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A thread that runs one [Job], which may block. Normally it is a virtual thread, whose carrier is
/// the loop that owns the connection, or the pool.
///
/// ```
///             loop: its turn comes           job returned or threw
///   WAITING ──────────────────────▶ BEGUN ───────────────────────▶ ENDED ──▶ TOLD
///      │        pool: a thread      parks and resumes,                ▲  (loop)
///      │                            any number of times               │
///      └──────────────────────────── cancelled ───────────────────────┘
/// ```
///
/// The JDK calls [#execute], on any thread, when the virtual thread can continue. The Worker then
/// requests that the loop or the pool carries it. A superfluous call is harmless, because the
/// virtual thread's own state decides whether it runs. Methods marked "Any thread" may be called
/// from any thread. The loop owns all else.
public final class Worker implements Executor, Runnable {
    private enum State {
        WAITING,
        BEGUN,
        ENDED,
        TOLD
    }

    private static final VarHandle STATE = handle("state", State.class);
    private static final VarHandle IN_POOL = handle("inPool", boolean.class);
    private static final VarHandle ARRIVAL = handle("arrival", Command.class);

    /// Replaces a job that has ended, because threads that the job started keep a reference to its
    /// Worker.
    private static final Job OVER =
            new Job() {
                @Override
                public void run() {}

                @Override
                public void ended(@Nullable Throwable thrown) {}

                @Override
                public boolean prefersPool() {
                    return false;
                }

                @Override
                public void carried(long nanos) {}

                @Override
                public void preempted() {}

                @Override
                public boolean overloaded(long waitNanos) {
                    return false;
                }

                @Override
                public String name() {
                    return "a job that has ended";
                }
            };

    Job job; // read by its thread until it ended, then used by the loop
    private final long madeNanos;
    @Nullable Worker nextReady; // in the loop's queue
    boolean isReady;
    @Nullable StartQueue starts; // that counts it, while it waits for its begin on the loop
    FreshWorkers.@Nullable Queue workingAmong; // counts it towards the most that may work at once
    @Nullable Worker older; // in the list of the loop's Workers
    @Nullable Worker newer;
    private final LoopWorkers host;
    private @Nullable Thread thread; // null if a platform thread runs the job
    private @Nullable JobThread platform;
    private @Nullable Runnable continuation;
    private @Nullable Throwable thrown; // written before ENDED
    private boolean interrupted; // used by the loop

    @SuppressWarnings("UnusedVariable") // used by ARRIVAL; created if needed, which is rare
    private @Nullable Command arrival;

    @SuppressWarnings("UnusedVariable") // used by STATE; its first carrier sets BEGUN
    private State state = State.WAITING;

    @SuppressWarnings("UnusedVariable") // used by IN_POOL: waits for a thread of the pool
    private boolean inPool;

    private volatile boolean pooled; // the pool carries it

    Worker(LoopWorkers host, Job job, long madeNanos) {
        this.host = host;
        this.job = job;
        this.madeNanos = madeNanos;
    }

    /// Returns the time since the Worker was created. Any thread.
    public long ageNanos(long nowNanos) {
        return nowNanos - madeNanos;
    }

    /// Interrupts the job; a job that waits for its start is interrupted once it runs. On the loop.
    /// Another thread makes the call, because it closes the channel that the job waits for. That
    /// runs application code, and may wait for the system if the channel is a file.
    public void interrupt() {
        @Nullable Runnable interruption = interruption();
        if (interruption != null && !hasEnded()) {
            interrupted = true;
            Thread.ofVirtual().name("serval-interrupt").start(interruption);
        }
    }

    /// Returns whether [#interrupt] found a thread to interrupt. On the loop.
    public boolean interrupted() {
        return interrupted;
    }

    /// Returns the name of the job. On the loop.
    public String jobName() {
        return job.name();
    }

    /// Returns whether the job began or was cancelled. Any thread.
    public boolean started() {
        return state() != State.WAITING;
    }

    /// Returns whether the pool carries it.
    boolean isPooled() {
        return pooled;
    }

    /// Cancels the job, if it has not begun, and calls [Job#ended] at once. On the loop.
    ///
    /// @return whether the job was cancelled; false if it had begun
    public boolean cancel() {
        if (!STATE.compareAndSet(this, State.WAITING, State.ENDED)) {
            return false;
        }
        @Nullable StartQueue counting = starts;
        if (counting != null) {
            starts = null;
            counting.drop();
        }
        tell();
        return true;
    }

    /// Continues the virtual thread. Called by the JDK, on any thread.
    @Override
    public void execute(Runnable part) {
        @Nullable Runnable mine = continuation;
        if (mine == null) {
            continuation = part; // the first call, from Thread.start
        } else if (part.equals(mine)) {
            wake();
        } else { // a virtual thread that the job started: it inherits this executor
            WorkerThreads.ofOthers().execute(part);
        }
    }

    /// Runs the job. This is the body of the Worker's thread.
    @Override
    public void run() {
        try {
            job.run();
            end(null);
        } catch (Throwable e) { // anything that application code throws goes to the job
            end(e);
        }
    }

    /// Creates the thread. On the loop.
    void prepare(WorkerThreads threads) {
        switch (threads.kind()) {
            case LOOP -> thread = WorkerThreads.carriedBy(this, this);
            case VIRTUAL -> thread = Thread.ofVirtual().unstarted(this::scheduledBody);
            case PLATFORM -> platform = new JobThread();
        }
    }

    /// Starts the Worker if no loop carries it. On the loop.
    void startElsewhere() {
        @Nullable Thread own = thread;
        @Nullable JobThread borrowed = platform;
        if (own != null) {
            state = State.BEGUN;
            host.threads().scheduled().addShared(host.loop().nowNanos());
            try {
                own.start();
            } catch (Throwable e) { // the caller handles it
                host.threads().scheduled().takeShared(host.loop().nowNanos());
                throw e;
            }
        } else if (borrowed != null) {
            carryInPool(() -> platformBody(borrowed));
        }
    }

    /// Discards a Worker that could not be started, without calling [Job#ended]. On the loop.
    void neverStarts() {
        state = State.TOLD;
        job = OVER;
        host.forget(this);
    }

    /// Runs the virtual thread on the calling thread until it parks or ends. Called by the owner of
    /// the loop in application code, or by a thread of the pool.
    void carry() {
        try {
            @Nullable Runnable part = continuation;
            if (part == null) {
                if (!begin()) {
                    return; // cancelled
                }
                start();
                part = continuation;
            }
            if (part != null) {
                part.run();
            }
        } catch (Throwable e) { // the JDK could not start or carry the thread
            if (!hasEnded()) {
                end(e);
            }
        }
    }

    /// Posts the end of the job to the loop. Called by a thread that carried it and does not own
    /// the loop.
    void carriedElsewhere() {
        boolean untold = hasEnded();
        while (untold) {
            try {
                host.loop().submit(arrival());
                untold = false;
            } catch (Throwable e) { // such as no memory: only this call reports that the job ended
                Thread.onSpinWait();
            }
        }
    }

    /// Makes the pool carry the Worker from now on. Called by the watchdog, while no thread owns
    /// the loop.
    void moveToPool() {
        pooled = true;
    }

    /// Has the pool carry the Worker's next part if it waits for the loop. Called by the watchdog while
    /// the loop's thread waits for a lock, and perhaps continues at any moment: if both carry the Worker,
    /// the virtual thread's own state lets one of them do so.
    void continueInPool() {
        @Nullable Command coming = (Command) ARRIVAL.getAcquire(this);
        boolean waits = isReady || (coming != null && coming.isQueued());
        if (waits && started() && !(boolean) IN_POOL.getAndSet(this, true)) {
            carryInPool(this::poolTurn);
        }
    }

    /// Makes the pool carry the Worker, and queues it there at once. On the loop.
    void queueInPool() {
        pooled = true;
        try {
            if (!(boolean) IN_POOL.getAndSet(this, true)) {
                carryInPool(this::poolTurn);
            }
        } catch (Throwable e) { // such as no thread for the pool: the loop tries again
            host.ready(this);
        }
    }

    boolean hasEnded() {
        return state().compareTo(State.ENDED) >= 0;
    }

    /// Calls [Job#ended] after the end, once. On the loop.
    void tell() {
        if (state() != State.TOLD) {
            state = State.TOLD;
            Job over = job;
            job = OVER;
            host.forget(this);
            over.ended(thrown);
        }
    }

    /// Names the thread for thread dumps. Only for Workers that did not end at once, because it is
    /// costly.
    void name() {
        @Nullable Thread present = thread;
        if (present != null && present.getName().isEmpty()) {
            WorkerThreads.name(present, job.name());
        }
    }

    /// Returns the thread that runs the job, or null if there is none yet or no longer.
    public @Nullable Thread thread() {
        @Nullable JobThread borrowed = platform;
        return borrowed != null ? borrowed.running() : thread;
    }

    /// Returns what interrupts the job, or null before [#prepare].
    private @Nullable Runnable interruption() {
        @Nullable JobThread borrowed = platform;
        if (borrowed != null) {
            return borrowed::interrupt;
        }
        @Nullable Thread own = thread;
        return own == null ? null : own::interrupt;
    }

    /// Makes the Worker ready on the loop, or queues it in the pool. Any thread.
    private void wake() {
        if (!pooled || host.standsInForPool()) { // calls that never return may fill the pool
            host.loop().submit(arrival());
        } else if (!(boolean) IN_POOL.getAndSet(this, true)) {
            try {
                carryInPool(this::poolTurn);
            } catch (OutOfMemoryError e) { // the JDK retries
                throw e;
            } catch (RuntimeException | Error e) { // the JDK does not: the loop tries again
                host.loop().submit(arrival());
            }
        }
    }

    private void carryInPool(Runnable turn) {
        try {
            WorkerThreads.Pool pool = host.threads().pool();
            if (started()) {
                pool.resume(turn);
            } else {
                pool.execute(new FirstTurn(this, turn));
            }
        } catch (RejectedExecutionException e) { // the server stopped: another thread ends it
            Thread.ofPlatform().daemon().name("serval-late").start(turn);
        } catch (RuntimeException | Error e) { // a retry must not find it queued
            IN_POOL.setVolatile(this, false);
            throw e;
        }
    }

    private void poolTurn() {
        boolean _ = (boolean) IN_POOL.getAndSet(this, false);
        carry();
        carriedElsewhere();
    }

    /// The first turn of a Worker in the pool, at which its job begins.
    record FirstTurn(Worker worker, Runnable turn) implements Runnable {
        /// Returns whether the job will not begin. Any thread.
        boolean isCancelled() {
            return worker.hasEnded();
        }

        @Override
        public void run() {
            turn.run();
        }
    }

    /// Returns the command that runs [#arrived]. Any thread.
    private Command arrival() {
        @Nullable Command present = (Command) ARRIVAL.getAcquire(this);
        if (present != null) {
            return present;
        }
        Command made = new Command(this::arrived);
        @Nullable Command other = (Command) ARRIVAL.compareAndExchange(this, null, made);
        return other != null ? other : made;
    }

    /// Runs on the loop after the Worker became ready, or ended elsewhere.
    private void arrived() {
        if (hasEnded()) {
            tell();
        } else if (pooled && !host.standsInForPool()) {
            queueInPool();
        } else {
            host.ready(this);
        }
    }

    private void start() {
        @Nullable Thread own = thread;
        if (own != null) {
            own.start();
        }
    }

    private void scheduledBody() {
        host.threads().scheduled().takeShared(host.loop().clock().nanos());
        wholeBody();
    }

    private void wholeBody() {
        run();
        carriedElsewhere();
    }

    private void platformBody(JobThread borrowed) {
        if (begin()) {
            borrowed.enter();
            try {
                wholeBody();
            } finally {
                borrowed.leave();
            }
        }
    }

    void end(@Nullable Throwable with) {
        thrown = with;
        STATE.setRelease(this, State.ENDED);
    }

    private State state() {
        return (State) STATE.getVolatile(this);
    }

    private boolean begin() {
        return STATE.compareAndSet(this, State.WAITING, State.BEGUN);
    }

    private static VarHandle handle(String field, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Worker.class, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
