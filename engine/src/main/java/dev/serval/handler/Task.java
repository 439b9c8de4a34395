package dev.serval.handler;

import org.jspecify.annotations.Nullable;

/// What [Exchange#run] carries out at a [ExecutorKind]. The exchange stays its loop's: a task may read its
/// request head, its route and the facts of its connection, which stay as they are until the task has
/// returned, and nothing else. What is to happen there next is the Handler it returns.
@FunctionalInterface
public interface Task {
    /// Runs once, at the place asked for.
    ///
    /// @return the Handler that goes on with the exchange on its loop (if the exchange was aborted
    ///     meanwhile, [#dropped] is called instead), or null where the task saw to the answer itself
    /// @throws Exception answered 500 and logged with its trace; whoever throws has cleaned up
    @Nullable Handler run() throws Exception;

    /// Told that the server interrupted the thread of [#run]: the exchange's deadline passed, or the
    /// server stops. Called on the loop, before the Handler that [#run] returned.
    default void interrupted() {}

    /// Told that nothing comes of the task: the exchange ended before the Handler that [#run]
    /// returned could be called, or there was no room for the task, which will not run. The time to
    /// give back what was taken for the Handler, as an open file.
    ///
    /// Called on the loop, at most once, never besides that Handler, and where the task is refused
    /// before [Exchange#run] returns. A loop that has ended tells nobody.
    default void dropped() {}
}
