package dev.serval.exchange;

import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Fault;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Task;
import dev.serval.loop.Deadline;
import dev.serval.loop.EventLoop;
import dev.serval.loop.Reports;
import dev.serval.policy.Counter;
import dev.serval.policy.Metrics;
import dev.serval.worker.LoopWorkers;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/// The tasks of an exchange. It passes them to their executors, each as a [SubmittedTask], which
/// continues on the loop with the Handler that the task returns. It works for any protocol.
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

    private final ServerExchange exchange;
    private long serial;
    private volatile long abandoned = -1; // the serial of an exchange whose client disconnected
    private int atWork;
    private boolean begun; // application code of this exchange was started
    private @Nullable SubmittedTask spare; // finished, for the next task
    private @Nullable SubmittedTask latest; // the task that was started last, until it is back
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
        @Nullable SubmittedTask last = latest;
        if (last != null && last.hasWorker() && !last.started()) {
            loop().execute(() -> cancelAbandoned(last));
        }
    }

    private void cancelAbandoned(SubmittedTask task) {
        boolean _ = task.equals(latest) && task.isAbandoned() && task.cancel();
    }

    /// Returns whether the exchange with this serial number has lost its client. Any thread.
    boolean isAbandoned(long number) {
        return abandoned == number;
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
                return submit(executor, submitted(task, mapping));
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
        @Nullable SubmittedTask last = latest;
        if (last != null && !last.cancel()) {
            last.interrupt();
        }
    }

    /// Cancels a task that did not start in time.
    ///
    /// @return whether there was one; if so, the exchange was refused
    boolean cancelLate() {
        @Nullable SubmittedTask late = latest;
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

    private SubmittedTask submitted(Task task, Mapping mapping) {
        @Nullable SubmittedTask again = spare;
        spare = null;
        SubmittedTask submitted = again == null ? new SubmittedTask(this, exchange) : again;
        submitted.begin(task, mapping.at(loop().index()), !begun);
        return submitted;
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
        SubmittedTask submitted = submitted(task, mapping);
        return switch (executor) {
            case LOOP -> {
                loop().execute(submitted::onLoop); // in a later turn
                atWork++;
                yield true;
            }
            case WORKER -> startWorker(submitted);
            case BLOCKING, DISK -> {
                long patience =
                        exchange.sink().hasBegun()
                                ? exchange.service().limits().pace().executorWaitNanos()
                                : 0;
                yield submit(executor, submitted, loop().nowNanos() + patience);
            }
        };
    }

    private boolean startWorker(SubmittedTask submitted) {
        if (!workers().mayStart()) {
            exchange.notes().refused(Counter.REQUESTS_REFUSED_WORKER);
            exchange.giveUp(Fault.OVERLOAD);
            return false;
        }
        long now = loop().nowNanos();
        if (submitted.profile().request(now)) {
            metrics().count(Counter.MAPPINGS_TO_LOOP);
        }
        if (!begun && WorkerWait.isTooLong(exchange, workers().waitNanos(submitted))) {
            WorkerWait.refuse(exchange);
            return false;
        }
        begun = true;
        submitted.worker(workers().start(submitted)); // calls ended() in a later turn
        atWork++;
        metrics().count(Counter.WORKERS_STARTED);
        startsBy(submitted);
        return true;
    }

    /// Submits a task, and retries until `untilNanos` if the executor is full. The caller allows
    /// retries only for a response that has begun. Such a response can no longer be refused, and a
    /// client that gets half of it requests all of it again.
    ///
    /// @return false if the exchange was refused
    private boolean submit(ExecutorKind executor, SubmittedTask submitted, long untilNanos) {
        if (submit(executor, submitted)) {
            return true;
        }
        long now = loop().nowNanos();
        if (now >= untilNanos) {
            exchange.notes().refused(Counter.REQUESTS_REFUSED_EXECUTOR);
            exchange.giveUp(Fault.OVERLOAD);
            return false;
        }
        Runnable again = () -> submitAgain(executor, submitted, untilNanos);
        loop().timers().set(new Deadline(again), now + RETRY_NANOS);
        return true;
    }

    /// Continues [#submit] after its pause.
    private void submitAgain(ExecutorKind executor, SubmittedTask submitted, long untilNanos) {
        if (!submitted.isCurrent()) {
            drop(submitted.task());
            return;
        }
        try {
            if (!submit(executor, submitted, untilNanos)) {
                drop(submitted.task());
            }
        } catch (RuntimeException | Error e) { // no handler's call is there to catch it
            drop(submitted.task());
            exchange.failed(e);
        }
        exchange.port().resumed();
    }

    /// Submits a task. If the executor throws, the task counts as never submitted, unless a thread
    /// has taken it all the same.
    ///
    /// @return whether the executor accepted it
    private boolean submit(ExecutorKind executor, SubmittedTask submitted) {
        @Nullable SubmittedTask before = latest;
        long beforeNanos = startByNanos;
        boolean accepted = false;
        atWork++; // before the submit, since the task may be back at once
        if (executor == ExecutorKind.BLOCKING) {
            startsBy(submitted);
        }
        try {
            accepted =
                    exchange.service()
                            .exchanges()
                            .executors()
                            .submit(executor, submitted::onExecutor, submitted::notExecuted);
        } catch (RuntimeException | Error e) {
            accepted = !submitted.withdraw(); // keeps it from running
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
    private void startsBy(SubmittedTask submitted) {
        latest = submitted;
        startByNanos = loop().nowNanos() + exchange.service().limits().workers().startNanos();
    }

    // For submitted tasks

    /// Notes that a task has come back to the loop.
    void cameBack(SubmittedTask task) {
        atWork--;
        if (task.equals(latest)) {
            latest = null;
        }
    }

    /// Adds the time that a task of the current exchange has waited for its thread.
    void addWait(long nanos) {
        waitedNanos += nanos;
    }

    /// Keeps a finished object for the next task; null if there is none.
    void keep(@Nullable SubmittedTask finished) {
        spare = finished;
    }

    /// Returns the permit of an exchange, if it has ended and this was its last task.
    ///
    /// @param number the serial number of the exchange
    void restIfOver(long number) {
        if (serial != number && atWork == 0) {
            exchange.rested();
        }
    }

    /// Handles the result of a task whose exchange has ended meanwhile.
    void dropLate(Task task, @Nullable Handler result, @Nullable Throwable fault) {
        if (result != null) {
            drop(task);
        } else if (fault != null) {
            reportLate(LATE_TASK_FAILED, fault);
        }
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
}
