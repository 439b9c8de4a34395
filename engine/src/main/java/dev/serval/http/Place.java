package dev.serval.http;

/// Where a task of an exchange runs.
public enum Place {
    /// On the event loop that owns the connection; never blocks.
    LOOP,
    /// Application code, on a thread carried by the loop. Refused until Workers are built.
    WORKER,
    /// Code that blocks its thread: cold files, class loading, password hashing.
    BLOCKING
}
