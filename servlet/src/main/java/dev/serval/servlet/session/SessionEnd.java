package dev.serval.servlet.session;

/// Why a session ended.
public enum SessionEnd {
    /// The application invalidated it.
    INVALIDATED,
    /// It was idle for longer than its timeout.
    EXPIRED,
    /// No request returned its id in time.
    UNCONFIRMED,
    /// It was the oldest unconfirmed session when the limit of sessions was reached.
    EVICTED,
    /// The application stopped.
    STOPPED
}
