package dev.serval.servlet.async;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/// One request that a test drives by events, and what the specification expects of it (Servlet 6.1
/// §2.3.3.3). Each call checks what [AsyncState] answers. An event that cannot happen is skipped.
final class AsyncStateModel implements AsyncState.Owner {
    /// What may happen to a request.
    enum Event {
        /// The application calls `startAsync`.
        START,
        /// The application calls `dispatch`.
        DISPATCH,
        /// The application calls `complete`.
        COMPLETE,
        /// The code of the application that a container thread runs returns.
        RETURN,
        /// The code of the application that a container thread runs throws.
        FAIL,
        /// The target of a dispatch throws, and its cycle is opened again for the listeners.
        REOPEN,
        /// A container thread that was called arrives.
        ARRIVE,
        /// The timer fires.
        TIMER,
        /// A timer fires that was cancelled too late.
        OLD_TIMER,
        /// The client goes.
        ABORT,
        /// The loop reports content.
        READABLE,
        /// The loop reports room.
        WRITABLE
    }

    /// What the application has decided.
    private enum Decision {
        NONE,
        OPEN,
        DISPATCH,
        COMPLETE,
        FINAL
    }

    /// The code of the application that runs.
    private enum Code {
        NONE,
        SERVICE,
        TIMEOUT,
        STREAM
    }

    private final AsyncState state = new AsyncState(this);
    private final List<Event> applied = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();
    private final List<FakeTimer> old = new ArrayList<>();
    private @Nullable FakeTimer timer;
    private Decision decision = Decision.NONE;
    private Code code = Code.SERVICE; // of the thread that is inside
    private int cycle;
    private boolean reopened; // this cycle
    private boolean called; // a container thread, which has not arrived
    private boolean gone;
    private boolean timedOut;
    private boolean readable;
    private boolean writable;
    private int ends;
    private int completions;

    @Override
    public void resume() {
        check(!called && code == Code.NONE, "a second container thread was called");
        called = true;
    }

    @Override
    public Future<?> timer(Runnable task, long afterMillis) {
        check(timer == null || timer.isCancelled(), "a timer was set beside another");
        if (timer != null) {
            old.add(timer);
        }
        timer = new FakeTimer(task);
        return timer;
    }

    /// Returns what the container threads had to do, in order.
    List<String> steps() {
        return steps;
    }

    /// Applies the events, and lets the request end.
    void run(List<Event> order) {
        order.forEach(this::apply);
        finish();
    }

    /// Lets the request end, and checks that it ended once.
    void finish() {
        for (int i = 0; i < 20 && ends == 0; i++) {
            apply(Event.COMPLETE);
            apply(Event.ARRIVE);
            apply(Event.RETURN);
        }
        check(ends == 1, ends + " ends");
        check(completions == (cycle > 0 ? 1 : 0), completions + " times onComplete");
        for (Event late : Event.values()) {
            apply(late);
        }
        check(ends == 1, "an event after the end ended the request again");
        check(code == Code.NONE, "a thread is inside after the end");
    }

    void apply(Event event) {
        applied.add(event);
        switch (event) {
            case START -> start();
            case DISPATCH -> decide(Decision.DISPATCH);
            case COMPLETE -> decide(Decision.COMPLETE);
            case RETURN -> returned();
            case FAIL -> fail();
            case REOPEN -> reopen();
            case ARRIVE -> arrive();
            case TIMER -> fire();
            case OLD_TIMER -> old.forEach(this::fireOld);
            case ABORT -> abort();
            case READABLE -> {
                readable = true;
                state.readableOnLoop();
                calledBack();
            }
            case WRITABLE -> {
                writable = true;
                state.writableOnLoop();
                calledBack();
            }
        }
        check(state.isOpen() == (decision == Decision.OPEN), "isOpen");
        boolean started = decision != Decision.NONE && decision != Decision.FINAL;
        check(state.isStarted() == started, "isAsyncStarted");
    }

    /// Checks that an event that must not wait has called a thread, unless one is inside.
    private void calledBack() {
        boolean waits = decision == Decision.OPEN || decision == Decision.DISPATCH;
        if (ends == 0 && code == Code.NONE && waits) {
            check(called, "no container thread was called");
        }
    }

    private void start() {
        if (code == Code.NONE) {
            return; // only code of the application on a container thread starts
        }
        boolean may = decision == Decision.NONE;
        String next = "cycle " + (cycle + 1);
        try {
            state.start(next, 1000, () -> {});
            check(may, "startAsync did not throw");
            cycle++;
            decision = Decision.OPEN;
            reopened = false;
            timedOut = false;
        } catch (IllegalStateException e) {
            check(!may, "startAsync threw");
        }
    }

    private void decide(Decision made) {
        boolean may = decision == Decision.OPEN;
        try {
            if (made == Decision.DISPATCH) {
                state.dispatch("cycle " + cycle, () -> {});
            } else {
                state.complete("cycle " + cycle);
            }
            check(may, made + " did not throw");
            decision = made;
            if (code == Code.NONE) {
                check(called, "no container thread was called");
            }
        } catch (IllegalStateException e) {
            check(!may, made + " threw");
        }
    }

    private void reopen() {
        if (code == Code.NONE) {
            return;
        }
        state.reopen();
        if (decision == Decision.NONE && cycle > 0 && !reopened) {
            decision = Decision.OPEN;
            reopened = true;
            timedOut = false;
        }
    }

    private void fail() {
        if (code == Code.NONE) {
            return;
        }
        state.fail();
        if (decision != Decision.FINAL) {
            decision = cycle == 0 ? Decision.FINAL : Decision.COMPLETE;
        }
    }

    private void arrive() {
        if (!called) {
            return;
        }
        called = false;
        boolean enters = ends == 0;
        check(state.arrive() == enters, "arrive");
        if (enters) {
            settle();
        }
    }

    private void fire() {
        FakeTimer present = timer;
        if (present == null || present.isCancelled()) {
            return;
        }
        timer = null;
        boolean counts = code == Code.NONE && !called && ends == 0;
        boolean before = called;
        present.fire();
        timedOut |= counts;
        check(counts ? called : called == before, "a timer called no container thread");
    }

    private void fireOld(FakeTimer cancelled) {
        boolean before = called;
        cancelled.fire();
        check(called == before, "an old timer called a container thread");
    }

    private void abort() {
        if (gone || ends > 0) {
            return;
        }
        gone = true;
        boolean outside = code == Code.NONE;
        check(state.aborted() == outside, "aborted");
        if (outside) {
            steps.add("GONE");
            over();
            state.end();
        }
    }

    private void over() {
        ends++;
        completions++;
        code = Code.NONE;
        decision = Decision.FINAL;
    }

    private void returned() {
        if (code == Code.NONE) {
            return;
        }
        if (code == Code.TIMEOUT) {
            state.completeIfOpen(); // no listener did (§2.3.3.3)
            decision = decision == Decision.OPEN ? Decision.COMPLETE : decision;
        }
        settle();
    }

    /// Is the container thread, until it runs code of the application or is away.
    private void settle() {
        code = Code.SERVICE;
        while (code != Code.NONE) {
            AsyncStep step = state.next();
            steps.add(step.toString());
            if (step(step)) {
                return;
            }
        }
    }

    /// Returns whether the step runs code of the application.
    private boolean step(AsyncStep step) {
        boolean open = decision == Decision.OPEN;
        switch (step) {
            case END -> {
                check(decision == Decision.FINAL || cycle == 0, "END");
                ends++;
                code = Code.NONE;
                decision = Decision.FINAL;
                state.end();
            }
            case COMPLETE -> {
                check(
                        decision == Decision.COMPLETE || (decision == Decision.NONE && cycle > 0),
                        "");
                completions++;
                decision = Decision.FINAL;
            }
            case DISPATCH -> {
                check(decision == Decision.DISPATCH, "DISPATCH");
                decision = Decision.NONE;
                return true;
            }
            case TIMEOUT -> {
                check(open && timedOut, "TIMEOUT");
                timedOut = false;
                code = Code.TIMEOUT;
                return true;
            }
            case ABORT -> {
                check(open && gone, "ABORT");
                over();
                state.end();
            }
            case READ -> {
                check(open && readable && !gone, "READ");
                readable = false;
                code = Code.STREAM;
                return true;
            }
            case WRITE -> {
                check(open && writable && !gone, "WRITE");
                writable = false;
                code = Code.STREAM;
                return true;
            }
            case DETACH -> {
                check(open && !gone && !timedOut && !readable && !writable, "DETACH");
                code = Code.NONE;
                check(state.leave(), "leave");
                check(timer != null && !timer.isCancelled(), "no timer was set");
            }
        }
        return false;
    }

    private void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what + " after " + applied + ", steps " + steps);
        }
    }
}
