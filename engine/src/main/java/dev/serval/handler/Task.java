package dev.serval.handler;

import org.jspecify.annotations.Nullable;

/// Code that [Exchange#run] runs on an executor. The exchange still belongs to its loop. Until it
/// returns, a task may read the request head, the route and the connection's facts, which do not
/// change, and nothing else. It returns a Handler for the work on the loop that follows.
@FunctionalInterface
public interface Task {
    /// Runs once, on the requested executor.
    ///
    /// @return the Handler that continues the exchange on its loop, or null if the task has
    ///     arranged the answer itself. If the exchange was aborted meanwhile, [#dropped] is called
    ///     instead
    /// @throws Exception if the task failed, after it has cleaned up; the answer is 500, and the
    ///     exception is logged with its trace
    @Nullable Handler run() throws Exception;

    /// Reports that the server interrupted the thread of [#run], because the exchange's deadline
    /// passed or the server stops. Called on the loop, before the Handler that [#run] returned.
    default void interrupted() {}

    /// Reports that the Handler of [#run] will not be called: the exchange ended first, or there
    /// was no capacity for the task, which will not run. Release here what was acquired for the
    /// Handler, such as an open file.
    ///
    /// Called on the loop, at most once, and never together with that Handler. If the task is
    /// refused, it is called before [Exchange#run] returns or throws. A loop that has ended does not
    /// call it.
    default void dropped() {}
}
