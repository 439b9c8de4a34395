package dev.serval.servlet.async;

import java.util.concurrent.FutureTask;

/// A timer that a test fires.
class FakeTimer extends FutureTask<Void> {
    private final Runnable task;

    FakeTimer(Runnable task) {
        super(task, null);
        this.task = task;
    }

    /// Runs the task, even if the timer was cancelled: it may have begun before.
    void fire() {
        task.run();
    }
}
