package dev.serval.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Measures the turns of one event loop, from the moment at which its poll has returned. Owned by the
/// loop; any thread may read.
///
/// The loop calls [#count] before its poll and [#began] after it, [#flushed] after it has sent the
/// answers of the turn, and [#ended] before it polls again. A turn that another thread continues because
/// application code kept the loop is not recorded.
public final class LoopMeter {
    /// Waits for the end of turns.
    public interface Observer {
        /// Observes nothing.
        Observer NONE =
                new Observer() {
                    @Override
                    public boolean awaitsFlush() {
                        return false;
                    }

                    @Override
                    public void flushed(long nanos) {}
                };

        /// Returns whether it waits for [#flushed].
        boolean awaitsFlush();

        /// Gets the time from the start of the turn, or from the flush before, to the flush.
        void flushed(long nanos);
    }

    private static final VarHandle BUSY = handle("busyNanos");
    private static final VarHandle COUNT = handle("count");

    private final Histogram turns = new Histogram();
    private Observer observer = Observer.NONE;
    private long beganNanos;
    private long sinceNanos; // the start of the turn, or the flush before
    private long busyNanos;
    private long count; // of turns that began, also those that were never recorded

    /// Creates a meter that has seen no turn.
    public LoopMeter() {}

    /// Sets who waits for the end of turns; called once, before the loop runs.
    public void observer(Observer other) {
        observer = other;
    }

    /// Counts a turn, before its poll.
    public void count() {
        COUNT.setOpaque(this, count + 1);
    }

    /// Returns the number of turns that were counted. Any thread.
    public long counted() {
        return (long) COUNT.getOpaque(this);
    }

    /// Begins a turn.
    public void began(long nowNanos) {
        beganNanos = nowNanos;
        sinceNanos = nowNanos;
    }

    /// Returns whether [#flushed] must be called with the time.
    public boolean awaitsFlush() {
        return observer.awaitsFlush();
    }

    /// Notes that the answers of the turn were sent.
    public void flushed(long nowNanos) {
        observer.flushed(nowNanos - sinceNanos);
        sinceNanos = nowNanos;
    }

    /// Ends the turn.
    public void ended(long nowNanos) {
        if (observer.awaitsFlush()) {
            flushed(nowNanos);
        }
        long nanos = nowNanos - beganNanos;
        turns.record(nanos);
        BUSY.setOpaque(this, busyNanos + nanos);
    }

    /// Returns how long turns took. Any thread.
    public Distribution turns() {
        return turns.read();
    }

    /// Returns how long the loop has been busy, in nanoseconds: all of its time but what it waited in
    /// polls. Any thread.
    public long busyNanos() {
        return (long) BUSY.getOpaque(this);
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(LoopMeter.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
