package dev.serval.worker;

import org.jspecify.annotations.Nullable;

/// What a Worker did when somebody looked.
///
/// @param name its job's
/// @param state see [State]
/// @param ageNanos since it was made
/// @param thread whose stack may be looked at; null before the start
public record WorkerView(String name, State state, long ageNanos, @Nullable Thread thread) {
    /// What it did.
    public enum State {
        /// It waits for its start.
        WAITING,
        /// It runs, or could run and waits for its turn.
        RUNNABLE,
        /// It waits for something: a lock, a time, content, room to write.
        PARKED
    }

    static WorkerView of(Worker worker, long nowNanos) {
        @Nullable Thread thread = worker.started() ? worker.thread() : null;
        State state = State.WAITING;
        if (thread != null) {
            state =
                    switch (thread.getState()) {
                        case BLOCKED, WAITING, TIMED_WAITING -> State.PARKED;
                        case NEW, RUNNABLE, TERMINATED -> State.RUNNABLE;
                    };
        }
        return new WorkerView(worker.job.name(), state, nowNanos - worker.madeNanos, thread);
    }
}
