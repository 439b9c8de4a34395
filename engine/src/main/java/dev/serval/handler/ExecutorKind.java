package dev.serval.handler;

/// Where a task of an exchange runs.
public enum ExecutorKind {
    /// On the event loop that owns the connection; never blocks.
    LOOP,
    /// Application code, which may block: a Worker, a virtual thread carried by the loop.
    WORKER,
    /// Code that blocks its thread: class loading, password hashing.
    BLOCKING,
    /// The engine's own short look-ups on disk. Its threads are its own, so that whatever fills
    /// [#BLOCKING] holds up no file.
    DISK;

    /// Runs work at places other than the loop. Any thread.
    @FunctionalInterface
    public interface Pools {
        /// Runs `work` at `place` some time from now.
        ///
        /// @param dropped carried out instead where the server stops first; on any thread
        /// @return whether there is room for it; if not, neither will run
        boolean submit(ExecutorKind executor, Runnable work, Runnable dropped);

        /// Whether what runs was interrupted, since the server stops. Any thread.
        default boolean interrupted() {
            return false;
        }
    }
}
