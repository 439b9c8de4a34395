package dev.serval.servlet.async;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A request of a race, with real steps and no code of an application. A container thread that is
/// called runs at once, on the thread that called it.
class StressedRequest implements AsyncState.Owner {
    static final String CYCLE = "cycle";

    final AsyncState state = new AsyncState(this);
    private final AtomicInteger inside = new AtomicInteger(1);
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicInteger completions = new AtomicInteger();
    private final AtomicInteger dispatches = new AtomicInteger();
    private final AtomicInteger wrong = new AtomicInteger();
    final AtomicInteger reads = new AtomicInteger();
    private volatile @Nullable FakeTimer timer;

    /// Creates a request whose asynchronous processing was started, with its thread inside.
    StressedRequest() {
        state.start(CYCLE, 1, () -> {});
    }

    @Override
    public void resume() {
        if (state.arrive()) {
            if (inside.incrementAndGet() != 1) {
                wrong.incrementAndGet();
            }
            settle();
        }
    }

    @Override
    public Future<?> timer(Runnable task, long afterMillis) {
        FakeTimer set = new FakeTimer(task);
        timer = set;
        return set;
    }

    /// Is the container thread from the return of the application's code on.
    final void settle() {
        while (true) {
            switch (state.next()) {
                case END -> {
                    end();
                    return;
                }
                case COMPLETE -> completions.incrementAndGet();
                case DISPATCH -> dispatches.incrementAndGet();
                case TIMEOUT -> state.completeIfOpen();
                case ABORT -> {
                    completions.incrementAndGet();
                    end();
                    return;
                }
                case READ -> reads.incrementAndGet();
                case WRITE -> {}
                case DETACH -> {
                    inside.decrementAndGet();
                    if (state.leave()) {
                        return;
                    }
                    inside.incrementAndGet();
                }
            }
        }
    }

    private void end() {
        ends.incrementAndGet();
        inside.decrementAndGet();
        state.end();
    }

    /// Calls `complete`.
    ///
    /// @return 1 if it did not throw
    final int complete() {
        try {
            state.complete(CYCLE);
            return 1;
        } catch (IllegalStateException e) {
            return 0;
        }
    }

    /// Calls `dispatch`.
    ///
    /// @return 1 if it did not throw
    final int dispatch() {
        try {
            state.dispatch(CYCLE, () -> {});
            return 1;
        } catch (IllegalStateException e) {
            return 0;
        }
    }

    /// Loses the client.
    final void abort() {
        if (state.aborted()) {
            if (inside.incrementAndGet() != 1) {
                wrong.incrementAndGet();
            }
            completions.incrementAndGet();
            end();
        }
    }

    /// Fires the timer.
    final void fire() {
        @Nullable FakeTimer set = timer;
        if (set != null) {
            set.fire();
        }
    }

    /// Returns 1 if the request has ended once and told so once, and one thread was inside at a time.
    final int endedOnce() {
        return ends.get() == 1 && completions.get() == 1 && inside.get() == 0 && wrong.get() == 0
                ? 1
                : 0;
    }

    final int dispatches() {
        return dispatches.get();
    }
}
