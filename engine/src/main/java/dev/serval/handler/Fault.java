package dev.serval.handler;

/// Why an exchange or a connection ended before its time. Counted by name.
public enum Fault {
    /// The peer closed or reset.
    PEER_GONE,
    /// The peer broke a rule of the protocol.
    PROTOCOL,
    /// The peer's content is larger than we take.
    TOO_LARGE,
    /// A deadline passed.
    TIMEOUT,
    /// The peer sent or read below the minimum rate.
    TOO_SLOW,
    /// Our handler or application failed, or broke its own Content-Length.
    APPLICATION,
    /// Beyond a limit of Admission.
    OVERLOAD,
    /// The server stops.
    SHUTDOWN
}
