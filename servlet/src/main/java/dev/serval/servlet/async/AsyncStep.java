package dev.serval.servlet.async;

/// What the container thread has to do.
public enum AsyncStep {
    /// The request is complete: nothing asynchronous runs.
    END,
    /// Call the target of `AsyncCycle.target`.
    DISPATCH,
    /// The application called `complete`.
    COMPLETE,
    /// The time is over.
    TIMEOUT,
    /// The client has gone, or the server has given the exchange up.
    ABORT,
    /// Content can be read.
    READ,
    /// The response can be written.
    WRITE,
    /// Nothing: leave, and come back with the next event.
    DETACH
}
