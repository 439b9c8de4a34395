package dev.serval.gateway.peer;

/// Why a peer did not answer a request. The pool counts each kind. Only [#UNREACHABLE] is counted
/// before a request is sent, and that request may still be answered by another upstream.
public enum PeerFault {
    /// The peer closed or reset the connection before its answer was complete.
    LOST(true),
    /// The peer broke the rules of its protocol.
    MALFORMED(false),
    /// The answer or its head is larger than the limit.
    TOO_LARGE(false),
    /// The answer was not complete in time.
    LATE(true),
    /// The upstream could not be connected to, or ended the connection at once.
    UNREACHABLE(true),
    /// The peer sent bytes although no request was in progress.
    UNASKED(false),
    /// The client left, and the rest of the answer is not worth reading.
    ABANDONED(false);

    private final boolean unhealthy;

    PeerFault(boolean unhealthy) {
        this.unhealthy = unhealthy;
    }

    /// Returns whether the fault suggests that the upstream is down.
    boolean isUnhealthy() {
        return unhealthy;
    }
}
