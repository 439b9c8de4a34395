package dev.serval.exchange;

import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Handler.Maintenance;
import dev.serval.loop.Deadline;
import dev.serval.loop.EventLoop;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// The maintenance of handlers: one deadline of the loop for each piece of work, which then runs on
/// [ExecutorKind#DISK]. No deadline is set if no handler requested one. Owned by the loop.
final class MaintenanceTimers {
    /// The pause before a retry if that executor is full.
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// The pause after a run that has failed. Its exception is logged each time.
    private static final long FAILED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final EventLoop loop;
    private final ExecutorKind.Pools executors;
    private final Set<Deadline> set = new HashSet<>(); // one for each request of a handler
    private boolean over;

    MaintenanceTimers(EventLoop loop, ExecutorKind.Pools executors) {
        this.loop = loop;
        this.executors = executors;
    }

    /// Runs `work` at `atNanos`, and again at each instant that it returns.
    void set(Maintenance work, long atNanos) {
        if (!over && atNanos != Maintenance.NEVER) {
            One one = new One(work);
            set.add(one.deadline);
            loop.timers().set(one.deadline, atNanos);
        }
    }

    /// Stops all maintenance.
    void end() {
        over = true;
        set.forEach(loop.timers()::cancel);
        set.clear();
    }

    private final class One {
        private final Maintenance work;
        private final Deadline deadline = new Deadline(this::due);
        private long atNanos; // passed to the loop by its command queue

        One(Maintenance work) {
            this.work = work;
        }

        private void due() {
            long now = loop.nowNanos();
            if (!executors.submit(ExecutorKind.DISK, () -> run(now), () -> {})) {
                loop.timers().set(deadline, now + RETRY_NANOS);
            }
        }

        /// Runs on the executor.
        private void run(long nowNanos) {
            atNanos = nowNanos + FAILED_NANOS;
            try {
                atNanos = work.run(nowNanos);
            } finally {
                loop.execute(this::again);
            }
        }

        private void again() {
            if (over || atNanos == Maintenance.NEVER) {
                set.remove(deadline);
            } else {
                loop.timers().set(deadline, atNanos);
            }
        }
    }
}
