package dev.serval.handler;

/// An executor that can run a task of an exchange.
public enum ExecutorKind {
    /// The event loop that owns the connection; its code never blocks.
    LOOP,
    /// A Worker, for application code that may block: a virtual thread that the loop carries.
    WORKER,
    /// A pool for code that blocks its thread, such as class loading and password hashing.
    BLOCKING,
    /// The engine's short file look-ups. It has its own threads, so that tasks that fill
    /// [#BLOCKING] do not delay files.
    DISK;

    /// Runs work on executors other than the loop. Any thread.
    @FunctionalInterface
    public interface Pools {
        /// Submits `work` to `executor`.
        ///
        /// @param dropped runs instead of `work` if the server stops first; on any thread
        /// @return whether the executor accepted `work`; if not, neither will run
        boolean submit(ExecutorKind executor, Runnable work, Runnable dropped);

        /// Returns whether the current work was interrupted because the server stops. Any thread.
        default boolean interrupted() {
            return false;
        }
    }
}
