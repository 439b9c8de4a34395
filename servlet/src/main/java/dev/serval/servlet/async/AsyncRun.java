package dev.serval.servlet.async;

import dev.serval.servlet.request.View;

/// What the asynchronous processing of a request needs of the run of that request. Any thread.
public interface AsyncRun extends AsyncState.Owner {
    /// Returns how the request looked when the container dispatched it last.
    View dispatched();

    /// Runs application code on a thread of its own.
    void start(Runnable task);

    /// Calls a listener. Its faults are logged and change nothing.
    void notifying(Notice notice);

    /// Handles what a listener of a stream threw.
    ///
    /// @param notice tells that listener
    void listenerFailed(Notice notice, Throwable thrown);
}
