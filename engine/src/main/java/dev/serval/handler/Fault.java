package dev.serval.handler;

/// Why an exchange or a connection ended early. The metrics count each kind.
public enum Fault {
    /// The peer closed or reset.
    PEER_GONE,
    /// The peer broke a rule of the protocol.
    PROTOCOL,
    /// The peer's content is larger than the limit.
    TOO_LARGE,
    /// A deadline passed.
    TIMEOUT,
    /// The peer sent or read below the minimum rate.
    TOO_SLOW,
    /// The handler or the application failed, or broke its own Content-Length.
    APPLICATION,
    /// A limit of Admission was reached.
    OVERLOAD,
    /// The server is stopping.
    SHUTDOWN
}
