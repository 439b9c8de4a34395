package dev.serval.site;

/// Whether the server wants new requests, for load balancers. It serves all the same in every state.
///
/// ```
///   STARTING ──▶ READY ◀──▶ DRAINING
/// ```
/// Any thread.
public final class Readiness {
    private enum State {
        STARTING,
        READY,
        DRAINING
    }

    private volatile State state = State.STARTING;

    /// Notes that the server has started, or wants requests again.
    public void ready() {
        state = State.READY;
    }

    /// Notes that no more requests should be sent to the server.
    public void drain() {
        state = State.DRAINING;
    }

    /// Returns whether requests should be sent to the server.
    public boolean isReady() {
        return state == State.READY;
    }

    /// Returns whether [#drain] has been called.
    public boolean isDraining() {
        return state == State.DRAINING;
    }
}
