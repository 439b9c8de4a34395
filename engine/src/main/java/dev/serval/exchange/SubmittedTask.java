package dev.serval.exchange;

import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Task;
import dev.serval.loop.Command;
import dev.serval.loop.EventLoop;
import dev.serval.policy.Counter;
import dev.serval.policy.Metrics;
import dev.serval.worker.Job;
import dev.serval.worker.Worker;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A task on its way: from its submission to an executor until its result is back on the loop.
///
/// ```
///             a thread takes it             it returned or threw
///   WAITING ───────────────────▶ RUNNING ────────────────────────▶ back
///      └── cancelled, or the server stops: it is dropped ───────────▶
/// ```
/// Which of the two happens, `taken` decides; a Worker decides for itself. The object then serves the
/// next task of its exchange object, unless an executor may still have it.
///
/// Owned by the loop, but for [#onExecutor], [#notExecuted] and [#run].
final class SubmittedTask implements Job {
    private static final long PREEMPTED_NANOS = 2_000_000; // the least that such a part takes
    private static final Task NOTHING = () -> null;
    private static final Mapping.HandlerProfile NO_PROFILE = new Mapping("none").at(0);
    private static final VarHandle BEGUN = begunHandle();

    private final ExchangeTasks tasks;
    private final ServerExchange exchange;
    private final AtomicBoolean taken =
            new AtomicBoolean(); // from the queue: it runs, or never will
    private final Command back = new Command(this::back); // made early: memory may run out
    private Task task = NOTHING;
    private Mapping.HandlerProfile profile = NO_PROFILE;
    private @Nullable Worker worker;
    private long serial; // of its exchange
    private boolean first; // of its exchange
    private long submittedNanos;
    private volatile long begunNanos; // 0 until it runs
    private long carriedNanos; // that the loop has spent on it
    private boolean cancelled;
    private boolean skipped; // by its thread, which found it abandoned; only that thread sets it
    private boolean retired; // must not be reused
    private @Nullable Handler then;
    private @Nullable Throwable thrown;

    /// @param tasks of `exchange`
    SubmittedTask(ExchangeTasks tasks, ServerExchange exchange) {
        this.tasks = tasks;
        this.exchange = exchange;
    }

    private static VarHandle begunHandle() {
        try {
            return MethodHandles.lookup()
                    .findVarHandle(SubmittedTask.class, "begunNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // Before it runs

    /// Begins to stand for `next`.
    ///
    /// @param known what the engine knows about its code
    /// @param isFirst whether no Worker was started for its exchange before
    void begin(Task next, Mapping.HandlerProfile known, boolean isFirst) {
        task = next;
        profile = known;
        serial = tasks.serial();
        first = isFirst;
        submittedNanos = loop().nowNanos();
        carriedNanos = 0;
        BEGUN.set(this, 0L); // what hands the task to its thread publishes it
        taken.setPlain(false);
    }

    /// Sets the Worker that runs it.
    void worker(Worker started) {
        worker = started;
    }

    Task task() {
        return task;
    }

    Mapping.HandlerProfile profile() {
        return profile;
    }

    /// Returns whether its exchange has not ended.
    boolean isCurrent() {
        return serial == tasks.serial();
    }

    /// Returns whether its client had left before it ran. Any thread.
    boolean isAbandoned() {
        return tasks.isAbandoned(serial);
    }

    /// Returns whether a Worker runs it.
    boolean hasWorker() {
        return worker != null;
    }

    /// Returns whether a thread has begun it.
    boolean started() {
        return worker == null ? taken.get() : worker.started();
    }

    /// Returns the time until it began; until now if it has not.
    long waitedNanos() {
        long begun = begunNanos;
        return Math.max(0, (begun == 0 ? loop().nowNanos() : begun) - submittedNanos);
    }

    // Its end from outside

    /// Keeps it from running.
    ///
    /// @return false if a thread has taken it already
    boolean withdraw() {
        return taken.compareAndSet(false, true);
    }

    /// Cancels it, unless it has begun. It is back then.
    ///
    /// @return whether it is cancelled
    boolean cancel() {
        @Nullable Worker made = worker;
        if (made == null) {
            return cancelOnExecutor();
        }
        cancelled = true; // read by ended(), which cancel() calls
        boolean done = made.cancel();
        if (!done) { // if done, this object may be reused already
            cancelled = false;
        }
        return done;
    }

    private boolean cancelOnExecutor() {
        if (!withdraw()) {
            return false;
        }
        cancelled = true;
        retired = true; // the executor still has it
        back();
        return true;
    }

    /// Interrupts its Worker, if it has one.
    void interrupt() {
        if (worker != null) {
            worker.interrupt();
        }
    }

    // On its thread

    /// Runs on a thread of the executor, which is no Worker.
    void onExecutor() {
        if (!withdraw()) {
            return; // it was cancelled
        }
        carryOut();
        loop().submit(back);
    }

    /// Cancels the task, because the server stops before a thread ran it. Any thread.
    void notExecuted() {
        if (!withdraw()) {
            return;
        }
        cancelled = true;
        loop().execute(() -> {
            if (isCurrent()) {
                exchange.giveUp(Fault.OVERLOAD);
            }
            back();
        });
    }

    /// Runs on the loop.
    void onLoop() {
        carryOut();
        back();
    }

    private void carryOut() {
        try {
            run();
        } catch (Exception | Error e) {
            thrown = e;
        }
    }

    @Override
    public void run() throws Exception {
        if (isAbandoned()) {
            skipped = true;
            return;
        }
        if (begunNanos == 0) {
            begunNanos = loop().clock().nanos();
        }
        then = task.run();
    }

    // As the job of a Worker, on the loop

    @Override
    public void begins(long nowNanos) {
        BEGUN.setOpaque(this, nowNanos);
    }

    @Override
    public void ended(@Nullable Throwable with) {
        metrics().count(Counter.WORKERS_ENDED);
        thrown = with;
        back();
    }

    @Override
    public boolean prefersPool() {
        return profile.prefersPool();
    }

    @Override
    public boolean continues() {
        return !first;
    }

    @Override
    public long expectedNanos() {
        return profile.workNanos();
    }

    @Override
    public void carried(long nanos) {
        carriedNanos += nanos;
        profile.carried();
    }

    @Override
    public void preempted() {
        metrics().count(Counter.LOOPS_PREEMPTED);
        carriedNanos += PREEMPTED_NANOS;
        if (profile.preempted(loop().nowNanos())) {
            metrics().count(Counter.MAPPINGS_TO_POOL);
        }
    }

    /// Refuses the request if it has waited for as long as makes a load critical, or if others
    /// would have to. Its client would get its answer so late that the work on it is better spent
    /// on others. One of a client that returns may wait for longer.
    @Override
    public boolean overloaded(long waitNanos) {
        if (!first || !isCurrent()) {
            return false;
        }
        long most = WorkerWait.mostInCriticalNanos(exchange);
        boolean late = loop().nowNanos() - submittedNanos >= most;
        if (!(late || waitNanos > most) || !cancel()) {
            return false;
        }
        WorkerWait.refuse(exchange);
        exchange.port().resumed();
        return true;
    }

    @Override
    public String name() {
        return exchange.name();
    }

    // After it has run

    /// Continues on the loop with the result of the task.
    private void back() {
        tasks.cameBack(this);
        recordRun();
        Task done = task;
        @Nullable Handler handler = then;
        @Nullable Throwable fault = thrown;
        boolean dropped = cancelled || skipped;
        boolean current = isCurrent();
        long ofExchange = serial;
        clear();
        tasks.keep(retired ? null : this); // for the next task, which the handler may run
        try {
            if (dropped) {
                tasks.drop(done);
            } else if (!current) { // aborted meanwhile
                tasks.dropLate(done, handler, fault);
            } else if (fault != null) {
                exchange.failed(fault);
            } else if (handler != null) {
                exchange.call(handler);
            }
        } finally { // an Error that a call did not keep must not keep the place of the exchange
            tasks.restIfOver(ofExchange);
            exchange.port().resumed();
        }
    }

    /// Tells the task of an interrupt, and notes what the run has cost.
    private void recordRun() {
        @Nullable Worker ran = worker;
        boolean interrupted =
                ran != null
                        ? ran.interrupted()
                        : exchange.service().exchanges().executors().interrupted();
        if (interrupted) {
            task.interrupted();
        }
        if (ran != null && !cancelled && !skipped) {
            profile.ended(ran.ageNanos(loop().nowNanos()), carriedNanos);
        }
        if (isCurrent()) {
            tasks.addWait(waitedNanos());
        }
    }

    private void clear() {
        task = NOTHING;
        profile = NO_PROFILE;
        worker = null;
        then = null;
        thrown = null;
        cancelled = false;
        skipped = false;
    }

    private EventLoop loop() {
        return exchange.service().exchanges().loop();
    }

    private Metrics.Column metrics() {
        return exchange.service().metrics();
    }
}
