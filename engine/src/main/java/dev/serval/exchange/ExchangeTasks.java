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
import dev.serval.policy.Metrics;
import dev.serval.worker.Job;
import dev.serval.worker.Worker;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The tasks of an exchange: takes them to their places, and what follows back to the loop. Whatever
/// protocol an exchange came by, this is how its code leaves the loop.
///
/// One for each exchange object, which may be used for one exchange after the other: what comes back
/// late is told by a serial number that its exchange is over. An object is free for another exchange
/// only when no task is [#atWork], since tasks read its request. Owned by the loop.
final class ExchangeTasks {
    private static final String DROP_FAILED =
            Reports.text("A task failed while it gave back what it held");

    /// How often a response that has begun asks for room at a place.
    private static final long ASK_AGAIN_NANOS = 50_000_000;

    private static final Task NOTHING = () -> null;
    private static final Mapping.HandlerProfile NOBODY = new Mapping("nobody").at(0);

    private final ServerExchange exchange;
    private long serial;
    private volatile long abandoned = -1; // the serial of an exchange whose client has gone
    private int atWork;
    private @Nullable Running spare; // has come back
    private @Nullable Running latest; // the Worker that was started last, until it comes back
    private long startByNanos = Deadline.NEVER;

    /// The tasks of `home`, which has none yet.
    ExchangeTasks(ServerExchange exchange) {
        this.exchange = exchange;
    }

    /// An exchange begins or ends: of tasks that are at work nothing comes any more.
    void renew() {
        serial++;
    }

    /// The present exchange has lost its client: its tasks that wait for a thread never run.
    void abandon() {
        abandoned = serial;
    }

    /// Whether a task has not come back.
    boolean atWork() {
        return atWork > 0;
    }

    /// The exchange's number among those of this object.
    long serial() {
        return serial;
    }

    /// When [#cancelLate] is to be called.
    long startByNanos() {
        @Nullable Running late = latest;
        return late != null && !late.started() ? startByNanos : Deadline.NEVER;
    }

    /// Carries out `task` at `place`, then goes on with the Handler it returns.
    ///
    /// @param mapping what is known of it
    void run(ExecutorKind executor, Mapping mapping, Task task) {
        if (!exchange.outlastsTurn()) {
            drop(task);
            return;
        }
        switch (executor) {
            case LOOP -> {
                atWork++;
                loop().execute(running(task, mapping)::onLoop);
            }
            case WORKER -> startWorker(running(task, mapping));
            case BLOCKING, DISK -> {
                long patience =
                        exchange.hasBegun()
                                ? exchange.service().limits().pace().executorWaitNanos()
                                : 0;
                submit(executor, running(task, mapping), loop().nowNanos() + patience);
            }
        }
    }

    /// As [#run], where there is room at once.
    ///
    /// @return whether there is
    boolean offer(ExecutorKind executor, Mapping mapping, Task task) {
        if (executor == ExecutorKind.BLOCKING || executor == ExecutorKind.DISK) {
            return submit(executor, running(task, mapping));
        }
        if (executor == ExecutorKind.WORKER
                && !exchange.service().exchanges().workers().mayStart()) {
            return false;
        }
        run(executor, mapping, task);
        return true;
    }

    /// Interrupts the exchange's Worker, if there is one.
    void interrupt() {
        @Nullable Running present = latest;
        if (present != null && present.worker != null) {
            present.worker.interrupt();
        }
    }

    /// Gives up a Worker that did not start in time.
    ///
    /// @return whether there was one: the exchange has been refused
    boolean cancelLate() {
        @Nullable Running late = latest;
        if (late == null || late.started() || loop().nowNanos() < startByNanos) {
            return false;
        }
        Counter refused = late.refusal();
        if (!late.cancel()) {
            return false;
        }
        metrics().refuse(refused);
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

    private Metrics.Column metrics() {
        return exchange.service().metrics();
    }

    private void startWorker(Running running) {
        if (!exchange.service().exchanges().workers().mayStart()) {
            metrics().refuse(Counter.REQUESTS_REFUSED_WORKER);
            drop(running.task);
            exchange.giveUp(Fault.OVERLOAD);
            return;
        }
        long now = loop().nowNanos();
        if (running.profile.request(now)) {
            metrics().count(Counter.MAPPINGS_TO_LOOP);
        }
        running.worker =
                exchange.service()
                        .exchanges()
                        .workers()
                        .start(running); // whose end is told in a later step
        atWork++;
        metrics().count(Counter.WORKERS_STARTED);
        startsBy(running);
    }

    /// Asks for room at a place, which a response that has begun waits for: it can no longer be
    /// refused, and whoever gets half of it asks for all of it again.
    private void submit(ExecutorKind executor, Running running, long untilNanos) {
        if (submit(executor, running)) {
            return;
        }
        long now = loop().nowNanos();
        if (now >= untilNanos) {
            metrics().refuse(Counter.REQUESTS_REFUSED_EXECUTOR);
            exchange.giveUp(Fault.OVERLOAD);
            drop(running.task);
            return;
        }
        Runnable again =
                () -> {
                    if (serial != running.expected) {
                        drop(running.task);
                    } else {
                        submit(executor, running, untilNanos);
                        exchange.port().resumed();
                    }
                };
        loop().timers().set(new Deadline(again), now + ASK_AGAIN_NANOS);
    }

    private boolean submit(ExecutorKind executor, Running running) {
        atWork++; // before it, since the task may be back at once
        @Nullable Running before = latest;
        if (executor == ExecutorKind.BLOCKING) {
            startsBy(running);
        }
        boolean taken =
                exchange.service()
                        .exchanges()
                        .executors()
                        .submit(executor, running::onExecutor, running::notExecuted);
        if (!taken) {
            atWork--;
            latest = before;
        }
        return taken;
    }

    /// Application code waits no longer than this for its start.
    private void startsBy(Running running) {
        latest = running;
        startByNanos = loop().nowNanos() + exchange.service().limits().workers().startNanos();
    }

    /// Nothing comes of a task. What it throws then is not held against the exchange that may run
    /// here by now.
    private void drop(Task task) {
        try {
            task.dropped();
        } catch (UncheckedIOException e) { // the environment's: its client went
            loop().reportLost("A task spoke of an exchange that was aborted", e);
        } catch (RuntimeException | Error e) {
            metrics().count(Counter.HANDLER_FAULTS);
            loop().report(DROP_FAILED, e);
        }
    }

    /// A task on its way.
    private final class Running implements Job {
        private Task task = NOTHING;
        private long expected;
        private Mapping.HandlerProfile profile = NOBODY;
        @Nullable Worker worker;
        private @Nullable Handler then;
        private @Nullable Throwable thrown;
        private boolean cancelled;
        private boolean retired; // not to be used again
        private final AtomicBoolean taken =
                new AtomicBoolean(); // from a queue: it runs, or never will
        private final Command back = new Command(this::back); // there may be no memory for it then

        void begin(Task next, Mapping.HandlerProfile known) {
            task = next;
            profile = known;
            expected = serial;
            taken.set(false);
        }

        private void clear() {
            task = NOTHING;
            profile = NOBODY;
            worker = null;
            then = null;
            thrown = null;
            cancelled = false;
        }

        boolean started() {
            @Nullable Worker made = worker;
            return made == null ? taken.get() : made.started();
        }

        /// How it counts if it cannot start in time.
        Counter refusal() {
            return worker == null
                    ? Counter.REQUESTS_REFUSED_EXECUTOR
                    : Counter.REQUESTS_REFUSED_WORKER;
        }

        boolean cancel() {
            @Nullable Worker made = worker;
            if (made == null) {
                return cancelAtPlace();
            }
            cancelled = true; // heard by ended, which is called from within
            boolean done = made.cancel();
            if (!done) { // else it came back already, and may be on another way
                cancelled = false;
            }
            return done;
        }

        private boolean cancelAtPlace() {
            if (!taken.compareAndSet(false, true)) {
                return false;
            }
            cancelled = true;
            retired = true; // the place still has it
            back();
            return true;
        }

        /// On a thread of its place, which is no Worker.
        void onExecutor() {
            if (!taken.compareAndSet(false, true)) {
                return; // it waited too long
            }
            carryOut();
            loop().submit(back);
        }

        /// The server stops before a thread came to it. Any thread.
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
            then = task.run();
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
        public void carried() {
            profile.carried();
        }

        @Override
        public void preempted() {
            metrics().count(Counter.LOOPS_PREEMPTED);
            if (profile.preempted(loop().nowNanos())) {
                metrics().count(Counter.MAPPINGS_TO_POOL);
            }
        }

        @Override
        public String name() {
            return exchange.name();
        }

        /// On the loop: goes on with what follows.
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
            clear();
            spare = retired ? null : this; // for whatever follows
            if (dropped) {
                drop(done);
            } else if (serial != begun) { // aborted meanwhile
                if (handler != null) {
                    drop(done);
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
