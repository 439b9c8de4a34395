package dev.serval.gateway.peer;

/// Why a request found no peer. Nothing of it was sent.
public enum Refusal {
    /// All peers are busy, and as many requests wait as may wait.
    QUEUE_FULL,
    /// No peer became free in time.
    QUEUE_TIMEOUT,
    /// The application has no peer: none has dialled in, or the last one has left.
    NO_PEER,
    /// No upstream could be connected to.
    UNREACHABLE,
    /// This server has no means for a connection, such as a free descriptor.
    NO_MEANS,
    /// The pool ends.
    DRAINED;

    /// Returns whether there are peers, but none was free: a limit of the server was reached.
    public boolean isForWantOfRoom() {
        return this == QUEUE_FULL || this == QUEUE_TIMEOUT;
    }
}
