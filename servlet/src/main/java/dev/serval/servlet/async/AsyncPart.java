package dev.serval.servlet.async;

/// What the container asks of a request that may be asynchronous: its [AsyncCycle], or [NotAsync],
/// which answers for the many requests that have none. Any thread.
sealed interface AsyncPart permits AsyncCycle, NotAsync {
    /// Returns whether asynchronous processing was started and not yet dispatched or completed.
    boolean isStarted();

    /// Returns what the container thread has to do now, and takes the event.
    AsyncStep next();

    /// Returns whether the request is asynchronous, and the application has called neither
    /// `complete` nor `dispatch`.
    boolean isOpen();

    /// Completes the processing because the request failed. Listeners then learn of the end.
    void fail();

    /// Ends the processing: the application's calls fail from now on.
    void end();

    /// Takes the exchange for the thread that reports its abort. On the loop.
    ///
    /// @return whether no container thread is inside; if one is, it ends the processing
    boolean aborted();

    /// Destroys the HttpUpgradeHandler, if there is one, because it gets no connection.
    void dropUpgrade();
}
