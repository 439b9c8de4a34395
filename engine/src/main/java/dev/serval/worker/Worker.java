package dev.serval.worker;

import dev.serval.loop.Command;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A thread that runs one [Job], which may block: a virtual thread whose carrier is the loop that owns
/// the connection, or the pool.
///
/// ```
///             loop: its turn comes           job returned or threw
///   WAITING ──────────────────────▶ BEGUN ───────────────────────▶ ENDED ──▶ TOLD
///      │        pool: a thread      parks, is woken, as often         ▲  (loop)
///      │                            as it likes                       │
///      └──────────────────────────── cancelled ───────────────────────┘
/// ```
///
/// The JDK calls [#execute], on any thread, whenever the virtual thread can go on; the Worker then
/// asks the loop (or the pool) to carry it. A call too many is harmless: whether there is something
/// to run is decided by the virtual thread's own state. Owned by the loop but for what is said to be
/// any thread's.
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

    /// In the place of a job that has ended: threads that it started keep its Worker.
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
                public void carried() {}

                @Override
                public void preempted() {}

                @Override
                public String name() {
                    return "a job that has ended";
                }
            };

    Job job; // read by its thread until it has ended, then the loop's
    final long madeNanos;
    @Nullable Worker nextReady; // of the loop's list
    boolean isReady;
    @Nullable Worker older; // of the loop's Workers
    @Nullable Worker newer;
    private final LoopWorkers host;
    private @Nullable Thread thread;
    private @Nullable Runnable continuation;
    private @Nullable Throwable thrown; // before ended
    private long startedNanos; // before ended
    private boolean interrupted; // the loop's

    @SuppressWarnings("UnusedVariable") // by ARRIVAL; made when it is needed, which is seldom
    private @Nullable Command arrival;

    @SuppressWarnings("UnusedVariable") // by STATE; begun by whoever carries it first
    private State state = State.WAITING;

    @SuppressWarnings("UnusedVariable") // by IN_POOL; it waits for a thread of the pool
    private boolean inPool;

    private volatile boolean pooled; // it is the pool that carries it

    Worker(LoopWorkers host, Job job, long madeNanos) {
        this.host = host;
        this.job = job;
        this.madeNanos = madeNanos;
    }

    /// Interrupts the job, once it runs; soon, on a thread of its own, since interrupting closes the
    /// channel that the job waits for: code of applications, and with files a wait for the system. On
    /// the loop.
    public void interrupt() {
        @Nullable Thread present = thread;
        if (present != null && !hasEnded()) {
            interrupted = true;
            Thread.ofVirtual().name("serval-interrupt").start(present::interrupt);
        }
    }

    /// Whether [#interrupt] found its thread. On the loop.
    public boolean interrupted() {
        return interrupted;
    }

    /// Whether the job began, or was cancelled. Any thread.
    public boolean started() {
        return state() != State.WAITING;
    }

    /// Keeps the job from ever running, if it did not begin yet; it is told at once. On the loop.
    ///
    /// @return whether it was not too late
    public boolean cancel() {
        if (!STATE.compareAndSet(this, State.WAITING, State.ENDED)) {
            return false;
        }
        startedNanos = host.loop().nowNanos();
        tell();
        return true;
    }

    /// The virtual thread can go on. Called by the JDK, on any thread.
    @Override
    public void execute(Runnable part) {
        @Nullable Runnable mine = continuation;
        if (mine == null) {
            continuation = part; // from within its start
        } else if (part.equals(mine)) {
            wake();
        } else { // a virtual thread that the job started: it inherits this executor
            WorkerThreads.ofOthers().execute(part);
        }
    }

    /// What its thread does.
    @Override
    public void run() {
        try {
            job.run();
            end(null);
        } catch (Throwable e) { // whatever application code may throw is the job's
            end(e);
        }
    }

    /// Makes its thread. On the loop.
    void prepare(WorkerThreads threads) {
        thread =
                switch (threads.kind()) {
                    case LOOP -> WorkerThreads.carriedBy(this, this);
                    case VIRTUAL -> Thread.ofVirtual().unstarted(this::wholeBody);
                    case PLATFORM -> null;
                };
    }

    /// Starts it where no loop carries it. On the loop.
    void startElsewhere() {
        @Nullable Thread own = thread;
        if (own != null) {
            startedNanos = host.loop().nowNanos();
            state = State.BEGUN;
            own.start();
        } else {
            carryInPool(this::platformBody);
        }
    }

    /// It could not be started: nothing comes of it, and nobody is told. On the loop.
    void neverStarts() {
        state = State.TOLD;
        job = OVER;
        host.forget(this);
    }

    /// Runs the virtual thread on this one until it parks or ends. By the owner of the loop in
    /// application code, or by a thread of the pool.
    ///
    /// @param nowNanos the loop's clock
    void carry(long nowNanos) {
        try {
            @Nullable Runnable part = continuation;
            if (part == null) {
                if (!begin()) {
                    return; // cancelled
                }
                start(nowNanos);
                part = continuation;
            }
            if (part != null) {
                part.run();
            }
        } catch (Throwable e) { // the thread could not be started, or the JDK failed in carrying it
            if (!hasEnded()) {
                end(e);
            }
        }
    }

    /// What is left to do for a thread that carried it and is not the loop's owner.
    void carriedElsewhere() {
        boolean untold = hasEnded();
        while (untold) {
            try {
                host.loop().submit(arrival());
                untold = false;
            } catch (OutOfMemoryError e) { // nobody else would ever say that it ended
                Thread.onSpinWait();
            }
        }
    }

    /// Has the pool carry it from now on. By the owner, or the watchdog in its place.
    void moveToPool() {
        pooled = true;
    }

    /// As [#moveToPool], at once, though it may have to wait for a thread. On the loop.
    void queueInPool() {
        pooled = true;
        try {
            if (!(boolean) IN_POOL.getAndSet(this, true)) {
                carryInPool(this::poolTurn);
            }
        } catch (OutOfMemoryError e) { // the pool got no thread: the loop sees to it again
            host.ready(this);
        }
    }

    boolean hasEnded() {
        return state().compareTo(State.ENDED) >= 0;
    }

    /// Tells the job of its end, once. On the loop.
    void tell() {
        if (state() != State.TOLD) {
            state = State.TOLD;
            Job over = job;
            job = OVER;
            host.forget(this);
            host.startTimes().add(startedNanos - madeNanos);
            over.ended(thrown);
        }
    }

    /// Names the thread for whoever looks at it; costs too much for those that end at once.
    void name() {
        @Nullable Thread present = thread;
        if (present != null && present.getName().isEmpty()) {
            WorkerThreads.name(present, job.name());
        }
    }

    @Nullable Thread thread() {
        return thread;
    }

    /// Any thread.
    private void wake() {
        if (!pooled || host.standsInForPool()) { // calls that never return fill the pool
            host.loop().submit(arrival());
        } else if (!(boolean) IN_POOL.getAndSet(this, true)) {
            carryInPool(this::poolTurn);
        }
    }

    private void carryInPool(Runnable turn) {
        try {
            host.threads().pool().execute(turn);
        } catch (OutOfMemoryError e) { // the JDK tries again, and must not find it queued
            IN_POOL.setVolatile(this, false);
            throw e;
        } catch (RejectedExecutionException e) { // the server stopped: let it end somewhere
            Thread.ofPlatform().daemon().name("serval-late").start(turn);
        }
    }

    private void poolTurn() {
        boolean _ = (boolean) IN_POOL.getAndSet(this, false);
        carry(host.loop().clock().nanos());
        carriedElsewhere();
    }

    /// Any thread.
    private Command arrival() {
        @Nullable Command present = (Command) ARRIVAL.getAcquire(this);
        if (present != null) {
            return present;
        }
        Command made = new Command(this::arrived);
        @Nullable Command other = (Command) ARRIVAL.compareAndExchange(this, null, made);
        return other != null ? other : made;
    }

    /// On the loop: it can go on, or it ended elsewhere.
    private void arrived() {
        if (hasEnded()) {
            tell();
        } else if (pooled && !host.standsInForPool()) {
            queueInPool();
        } else {
            host.ready(this);
        }
    }

    private void start(long nowNanos) {
        startedNanos = nowNanos;
        @Nullable Thread own = thread;
        if (own != null) {
            own.start();
        }
    }

    private void wholeBody() {
        run();
        carriedElsewhere();
    }

    private void platformBody() {
        if (begin()) {
            startedNanos = host.loop().clock().nanos();
            thread = Thread.currentThread();
            wholeBody();
        }
    }

    private void end(@Nullable Throwable with) {
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
