package dev.serval.exchange;

import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Task;
import dev.serval.loop.Command;
import dev.serval.loop.Deadline;
import dev.serval.loop.EventLoop;
import dev.serval.loop.Reports;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.policy.LoadRow;
import dev.serval.policy.Metrics;
import dev.serval.worker.Job;
import dev.serval.worker.LoopWorkers;
import dev.serval.worker.Worker;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The tasks of an exchange. It passes them to their executors, and continues on the loop with the
/// Handlers that they return. It works for any protocol.
///
/// There is one for each exchange object, which may serve many exchanges in sequence. A serial
/// number tells whether the exchange of a late task has ended. Tasks read the request of their
/// exchange. So an object is free for another exchange only after no task is [#atWork]. Owned by
/// the loop.
final class ExchangeTasks {
    private static final String LATE_TASK_FAILED =
            Reports.text("A task failed after its exchange had ended");
    private static final String DROP_FAILED =
            Reports.text("A task threw an exception while it released its resources");

    /// The pause before a response that has begun retries a full executor.
    private static final long RETRY_NANOS = 50_000_000;

    private static final long PREEMPTED_NANOS = 2_000_000; // the least that such a part takes
    private static final Task NOTHING = () -> null;
    private static final VarHandle BEGUN = begunHandle();
    private static final Mapping.HandlerProfile NO_PROFILE = new Mapping("none").at(0);

    private final ServerExchange exchange;
    private long serial;
    private volatile long abandoned = -1; // the serial of an exchange whose client disconnected
    private int atWork;
    private boolean begun; // application code of this exchange was started
    private @Nullable Running spare; // finished, for the next task
    private @Nullable Running latest; // the task that was started last, until it is back
    private long startByNanos = Deadline.NEVER;
    private long waitedNanos; // of the tasks of this exchange that came back

    /// Creates the tasks of `exchange`; there are none yet.
    ExchangeTasks(ServerExchange exchange) {
        this.exchange = exchange;
    }

    /// Marks that an exchange begins or ends. The results of its running tasks are discarded.
    void renew() {
        serial++;
        begun = false;
        waitedNanos = 0;
    }

    /// Returns whether a Worker was started for this exchange.
    boolean hasBegun() {
        return begun;
    }

    /// Returns how long the tasks of this exchange have waited for a thread.
    long waitedNanos() {
        return waitedNanos + (latest == null ? 0 : latest.waitedNanos());
    }

    /// Marks that the current exchange has lost its client. Its tasks that wait for a thread never
    /// run. A Worker is cancelled after this call, so that it no longer waits.
    void abandon() {
        abandoned = serial;
        @Nullable Running last = latest;
        if (last != null && last.worker != null && !last.started()) {
            loop().execute(last::cancelAbandoned);
        }
    }

    /// Returns whether a task has not come back to the loop.
    boolean atWork() {
        return atWork > 0;
    }

    /// Returns the serial number of the current exchange of this object.
    long serial() {
        return serial;
    }

    /// Returns the instant at which [#cancelLate] must be called.
    long startByNanos() {
        return latest != null && !latest.started() ? startByNanos : Deadline.NEVER;
    }

    /// Runs `task` on `executor`, then continues with the Handler that it returns. If the task will
    /// not run, it is dropped before this returns or throws.
    ///
    /// @param mapping what the engine knows about the task's code
    void run(ExecutorKind executor, Mapping mapping, Task task) {
        boolean kept;
        try {
            kept = exchange.outlastsTurn() && start(executor, mapping, task);
        } catch (RuntimeException | Error e) { // such as no memory for a thread
            drop(task);
            throw e;
        }
        if (!kept) {
            drop(task);
        }
    }

    /// Runs `task` as [#run] does, if the executor has capacity. A task that is not taken is not
    /// dropped, unless this throws.
    ///
    /// @return whether it has
    boolean offer(ExecutorKind executor, Mapping mapping, Task task) {
        if (executor == ExecutorKind.BLOCKING || executor == ExecutorKind.DISK) {
            try {
                return submit(executor, running(task, mapping));
            } catch (RuntimeException | Error e) { // as above
                drop(task);
                throw e;
            }
        }
        if (executor == ExecutorKind.WORKER && !workers().mayStart()) {
            return false;
        }
        run(executor, mapping, task);
        return true;
    }

    /// Cancels the task that has not started, or interrupts the Worker of the exchange.
    void stop() {
        @Nullable Running last = latest;
        if (last != null && !last.cancel() && last.worker != null) {
            last.worker.interrupt();
        }
    }

    /// Cancels a task that did not start in time.
    ///
    /// @return whether there was one; if so, the exchange was refused
    boolean cancelLate() {
        @Nullable Running late = latest;
        if (late == null || late.started() || loop().nowNanos() < startByNanos) {
            return false;
        }
        if (!late.cancel()) {
            return false;
        }
        exchange.notes().refused(Counter.REQUESTS_REFUSED_LATE);
        exchange.giveUp(Fault.OVERLOAD);
        return true;
    }

    private Running running(Task task, Mapping mapping) {
        @Nullable Running again = spare;
        spare = null;
        Running running = again == null ? new Running() : again;
        running.begin(task, mapping.at(loop().index()));
        return running;
    }

    private EventLoop loop() {
        return exchange.service().exchanges().loop();
    }

    private LoopWorkers workers() {
        return exchange.service().exchanges().workers();
    }

    private Metrics.Column metrics() {
        return exchange.service().metrics();
    }

    /// @return false if the exchange was refused
    private boolean start(ExecutorKind executor, Mapping mapping, Task task) {
        Running running = running(task, mapping);
        return switch (executor) {
            case LOOP -> {
                loop().execute(running::onLoop); // in a later turn
                atWork++;
                yield true;
            }
            case WORKER -> startWorker(running);
            case BLOCKING, DISK -> {
                long patience =
                        exchange.sink().hasBegun()
                                ? exchange.service().limits().pace().executorWaitNanos()
                                : 0;
                yield submit(executor, running, loop().nowNanos() + patience);
            }
        };
    }

    private boolean startWorker(Running running) {
        if (!workers().mayStart()) {
            exchange.notes().refused(Counter.REQUESTS_REFUSED_WORKER);
            exchange.giveUp(Fault.OVERLOAD);
            return false;
        }
        long now = loop().nowNanos();
        if (running.profile.request(now)) {
            metrics().count(Counter.MAPPINGS_TO_LOOP);
        }
        if (!begun && waitsTooLong(running)) {
            refuseForLoad();
            return false;
        }
        begun = true;
        running.worker = workers().start(running); // calls ended() in a later turn
        atWork++;
        metrics().count(Counter.WORKERS_STARTED);
        startsBy(running);
        return true;
    }

    /// Returns whether new work would wait for longer than the load mode allows. Work of a request that
    /// has begun may always wait, because the time that was spent on it would be lost.
    private boolean waitsTooLong(Running running) {
        LoadRow row = exchange.service().loadRow();
        long wait = workers().waitNanos(running);
        return wait > row.waitNanos() && wait > patienceNanos(row, row.waitNanos());
    }

    /// Returns how long the request may wait.
    private long patienceNanos(LoadRow row, long ofNewClients) {
        return Visit.goesOn(exchange.request(), exchange.connection())
                ? Math.max(row.returningNanos(), ofNewClients)
                : ofNewClients;
    }

    /// Returns for how long a request may have waited when the load becomes critical. A load that another
    /// mode is forced for never does.
    private long lateNanos() {
        Limits.Loads load = exchange.service().limits().load();
        return load.forced() == null
                ? patienceNanos(load.critical(), load.critical().delayNanos())
                : Long.MAX_VALUE;
    }

    private void refuseForLoad() {
        exchange.notes().refused(Counter.REQUESTS_REFUSED_LOAD);
        exchange.service().exchanges().load().refused();
        if (exchange.service().limits().load().resets()) {
            exchange.sink().breakOff(Fault.OVERLOAD);
        } else {
            exchange.giveUp(Fault.OVERLOAD);
        }
    }

    /// Submits a task, and retries until `untilNanos` if the executor is full. The caller allows
    /// retries only for a response that has begun. Such a response can no longer be refused, and a
    /// client that gets half of it requests all of it again.
    ///
    /// @return false if the exchange was refused
    private boolean submit(ExecutorKind executor, Running running, long untilNanos) {
        if (submit(executor, running)) {
            return true;
        }
        long now = loop().nowNanos();
        if (now >= untilNanos) {
            exchange.notes().refused(Counter.REQUESTS_REFUSED_EXECUTOR);
            exchange.giveUp(Fault.OVERLOAD);
            return false;
        }
        Runnable again = () -> submitAgain(executor, running, untilNanos);
        loop().timers().set(new Deadline(again), now + RETRY_NANOS);
        return true;
    }

    /// Continues [#submit] after its pause.
    private void submitAgain(ExecutorKind executor, Running running, long untilNanos) {
        if (serial != running.expected) {
            drop(running.task);
            return;
        }
        try {
            if (!submit(executor, running, untilNanos)) {
                drop(running.task);
            }
        } catch (RuntimeException | Error e) { // no handler's call is there to catch it
            drop(running.task);
            exchange.failed(e);
        }
        exchange.port().resumed();
    }

    /// Submits a task. If the executor throws, the task counts as never submitted, unless a thread
    /// has taken it all the same.
    ///
    /// @return whether the executor accepted it
    private boolean submit(ExecutorKind executor, Running running) {
        @Nullable Running before = latest;
        long beforeNanos = startByNanos;
        boolean accepted = false;
        atWork++; // before the submit, since the task may be back at once
        if (executor == ExecutorKind.BLOCKING) {
            startsBy(running);
        }
        try {
            accepted =
                    exchange.service()
                            .exchanges()
                            .executors()
                            .submit(executor, running::onExecutor, running::notExecuted);
        } catch (RuntimeException | Error e) {
            accepted = !running.taken.compareAndSet(false, true); // keeps it from running
            if (!accepted) {
                throw e;
            }
        } finally {
            if (!accepted) {
                atWork--;
                latest = before;
                startByNanos = beforeNanos;
            }
        }
        return accepted;
    }

    /// Sets the limit of the time until application code starts.
    private void startsBy(Running running) {
        latest = running;
        startByNanos = loop().nowNanos() + exchange.service().limits().workers().startNanos();
    }

    /// Drops a task. Its exceptions do not affect the exchange that may use this object by now.
    void drop(Task task) {
        try {
            task.dropped();
        } catch (RuntimeException | Error e) {
            reportLate(DROP_FAILED, e);
        }
    }

    /// Reports an exception of a task whose exchange has ended.
    private void reportLate(String what, Throwable thrown) {
        if (thrown instanceof UncheckedIOException e) { // the client disconnected
            loop().reportLost("A task threw because its exchange was aborted", e);
        } else {
            metrics().count(Counter.HANDLER_FAULTS);
            loop().report(what, thrown);
        }
    }

    private static VarHandle begunHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Running.class, "begunNanos", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// A submitted task.
    private final class Running implements Job {
        private Task task = NOTHING;
        private long expected;
        private long submittedNanos;
        private volatile long begunNanos; // 0 until it runs
        private long carriedNanos; // that the loop has spent on it
        private Mapping.HandlerProfile profile = NO_PROFILE;
        @Nullable Worker worker;
        private @Nullable Handler then;
        private @Nullable Throwable thrown;
        private boolean first; // of its exchange
        private boolean cancelled;
        private boolean retired; // must not be reused
        private final AtomicBoolean taken =
                new AtomicBoolean(); // from the queue: it runs, or never will
        private final Command back = new Command(this::back); // made early: memory may run out

        void begin(Task next, Mapping.HandlerProfile known) {
            task = next;
            profile = known;
            first = !ExchangeTasks.this.begun;
            expected = serial;
            submittedNanos = loop().nowNanos();
            carriedNanos = 0;
            BEGUN.set(this, 0L); // what hands the task to its thread publishes it
            taken.setPlain(false);
        }

        private void clear() {
            task = NOTHING;
            profile = NO_PROFILE;
            worker = null;
            then = null;
            thrown = null;
            cancelled = false;
        }

        private void addWait() {
            if (serial == expected) {
                waitedNanos += waitedNanos();
            }
        }

        /// Returns the time until it began; until now if it has not.
        long waitedNanos() {
            long begun = begunNanos;
            return Math.max(0, (begun == 0 ? loop().nowNanos() : begun) - submittedNanos);
        }

        boolean started() {
            return worker == null ? taken.get() : worker.started();
        }

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

        private void cancelAbandoned() {
            boolean _ = this.equals(latest) && abandoned == expected && cancel();
        }

        private boolean cancelOnExecutor() {
            if (!taken.compareAndSet(false, true)) {
                return false;
            }
            cancelled = true;
            retired = true; // the executor still has it
            back();
            return true;
        }

        /// Runs on a thread of the executor, which is no Worker.
        void onExecutor() {
            if (!taken.compareAndSet(false, true)) {
                return; // it was cancelled
            }
            carryOut();
            loop().submit(back);
        }

        /// Cancels the task, because the server stops before a thread ran it. Any thread.
        void notExecuted() {
            if (!taken.compareAndSet(false, true)) {
                return;
            }
            cancelled = true;
            loop().execute(() -> {
                if (serial == expected) {
                    exchange.giveUp(Fault.OVERLOAD);
                }
                back();
            });
        }

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
            if (abandoned == expected) {
                cancelled = true;
                return;
            }
            if (begunNanos == 0) {
                begunNanos = loop().clock().nanos();
            }
            then = task.run();
        }

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
            if (!first || serial != expected) {
                return false;
            }
            long most = lateNanos();
            boolean late = loop().nowNanos() - submittedNanos >= most;
            if (!(late || waitNanos > most) || !cancel()) {
                return false;
            }
            refuseForLoad();
            exchange.port().resumed();
            return true;
        }

        @Override
        public String name() {
            return exchange.name();
        }

        /// Continues on the loop with the result of the task.
        private void back() {
            atWork--;
            if (this.equals(latest)) {
                latest = null;
            }
            Task done = task;
            @Nullable Handler handler = then;
            @Nullable Throwable fault = thrown;
            boolean dropped = cancelled;
            long begun = expected;
            @Nullable Worker ran = worker;
            if (ran != null
                    ? ran.interrupted()
                    : exchange.service().exchanges().executors().interrupted()) {
                done.interrupted();
            }
            if (ran != null && !dropped) {
                profile.ended(ran.ageNanos(loop().nowNanos()), carriedNanos);
            }
            addWait();
            clear();
            spare = retired ? null : this; // for the next task
            if (dropped) {
                drop(done);
            } else if (serial != begun) { // aborted meanwhile
                if (handler != null) {
                    drop(done);
                } else if (fault != null) {
                    reportLate(LATE_TASK_FAILED, fault);
                }
            } else if (fault != null) {
                exchange.failed(fault);
            } else if (handler != null) {
                exchange.call(handler);
            }
            if (serial != begun && atWork == 0) {
                exchange.rested();
            }
            exchange.port().resumed();
        }
    }
}
