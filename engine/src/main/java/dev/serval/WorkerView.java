package dev.serval;

import dev.serval.loop.EventLoop;
import dev.serval.worker.Worker;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A snapshot of what a Worker does.
///
/// @param name the name of its job
/// @param state see [State]
/// @param ageNanos the time since the Worker was created
/// @param thread the thread, for its stack trace; null before the start, and for a moment before
///     a platform thread takes the job and after it has left the job
public record WorkerView(String name, State state, long ageNanos, @Nullable Thread thread) {
    /// The states of a Worker.
    public enum State {
        /// The Worker waits for its start.
        WAITING,
        /// The Worker runs, or waits to be carried.
        RUNNABLE,
        /// The Worker waits for a lock, a time, content or room to write.
        PARKED
    }

    /// Returns what each Worker does now, on its loop.
    static List<WorkerView> all(List<Worker> workers, EventLoop loop) {
        return workers.stream().map(worker -> of(worker, loop.nowNanos())).toList();
    }

    private static WorkerView of(Worker worker, long nowNanos) {
        boolean started = worker.started();
        @Nullable Thread thread = started ? worker.thread() : null;
        State state = started ? State.RUNNABLE : State.WAITING;
        if (thread != null) {
            state =
                    switch (thread.getState()) {
                        case BLOCKED, WAITING, TIMED_WAITING -> State.PARKED;
                        case NEW, RUNNABLE, TERMINATED -> State.RUNNABLE;
                    };
        }
        return new WorkerView(worker.jobName(), state, worker.ageNanos(nowNanos), thread);
    }
}
