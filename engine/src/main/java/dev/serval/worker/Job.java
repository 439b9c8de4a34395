package dev.serval.worker;

import org.jspecify.annotations.Nullable;

/// The work of a [Worker], and the callbacks for its progress.
public interface Job {
    /// Runs the application code, which may block. On the Worker.
    ///
    /// @throws Exception passed to [#ended]
    void run() throws Exception;

    /// Called before the loop carries the first part of the work, with the loop's time. A thread of
    /// the pool begins work without this call.
    default void begins(long nowNanos) {}

    /// Called after the work ended or could not be started. On the loop, once.
    ///
    /// @param thrown the exception that ended the work; null if it returned
    void ended(@Nullable Throwable thrown);

    /// Returns whether the pool should carry the work instead of the loop. On the loop, before the
    /// start.
    boolean prefersPool();

    /// Returns whether the work continues a request for which a job has begun before. It never waits
    /// until another job has ended, because that one may wait for it. On the loop, before the start.
    default boolean continues() {
        return false;
    }

    /// Returns how long the work probably uses a processor, in nanoseconds; 0 if nothing is known. On
    /// the loop, before the start.
    default long expectedNanos() {
        return 0;
    }

    /// Called after the loop carried one part of the work: until it parked or ended.
    ///
    /// @param nanos how long this part took
    void carried(long nanos);

    /// Called if the loop was preempted because the work kept it too long. The watchdog calls it
    /// while no thread owns the loop, so it may write what the loop owns.
    void preempted();

    /// Called if the load has become critical while the work waits for its begin. The job may cancel
    /// its Worker if it has waited too long, or if it and those that are newer would make others wait
    /// too long. On the loop.
    ///
    /// @param waitNanos how long new work has to wait if this Worker stays; 0 if it does not wait for
    ///     the loop
    /// @return whether it has cancelled its Worker
    boolean overloaded(long waitNanos);

    /// Returns the name for thread dumps: "GET /x, connection 17". On the loop.
    String name();
}
