package dev.serval.servlet.run;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import dev.serval.blocking.BlockingExchange;
import dev.serval.servlet.dispatch.RequestHost;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/// A visit of an application that has a time limit. A visit that takes longer ends the exchange, so that the client gets its end. Java cannot stop the thread
/// itself: it is interrupted, and counts as running until it leaves.
///
/// ```
///   INSIDE ── leave ──▶ LEFT
///      └── limit ──▶ OVERDUE ── leave ──▶ LEFT
/// ```
///
/// A visit belongs to one thread and one exchange and is never used again, so a late end cannot
/// meet another request.
final class TimedVisit implements Visit {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private enum State {
        INSIDE,
        OVERDUE,
        LEFT
    }

    private final BlockingExchange x;
    private final String request;
    private final System.Logger log;
    private final long limitMillis;
    private final Thread thread = Thread.currentThread();
    private final long begunNanos = System.nanoTime();
    private final AtomicReference<State> state = new AtomicReference<>(State.INSIDE);
    private final Future<?> timer;

    /// Begins a visit of the calling thread.
    ///
    /// @param request its method and path, for the log
    TimedVisit(RequestHost container, BlockingExchange x, String request, System.Logger log) {
        this.x = x;
        this.request = request;
        this.log = log;
        this.limitMillis = container.timeLimitMillis();
        this.timer = container.timer(this::overdue, limitMillis);
    }

    @Override
    public boolean isOverdue() {
        return state.get() == State.OVERDUE;
    }

    @Override
    public void leave() {
        timer.cancel(false);
        if (state.getAndSet(State.LEFT) == State.OVERDUE) {
            log.log(WARNING, request + " took too long and has returned after " + age());
        }
    }

    private void overdue() {
        if (state.compareAndSet(State.INSIDE, State.OVERDUE)) {
            // The timer's thread must not wait, as a log may.
            Thread.ofVirtual().name("serval-overdue").start(this::endExchange);
        }
    }

    private void endExchange() {
        StackTraceElement[] stack = thread.getStackTrace(); // before the interrupt changes it
        String age = age();
        x.timeOut();
        TimeoutException place = new TimeoutException("The request's thread was here");
        place.setStackTrace(stack);
        log.log(
                ERROR,
                request
                        + " still runs after "
                        + age
                        + ", more than the limit of "
                        + text(limitMillis)
                        + ". Its client got 503, or a closed connection if the response had begun,"
                        + " and its thread was interrupted",
                place);
    }

    private String age() {
        return text((System.nanoTime() - begunNanos) / NANOS_PER_MILLI);
    }

    private static String text(long millis) {
        return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
    }
}
