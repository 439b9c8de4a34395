package dev.serval.gateway.relay;

/// How a protocol reads the answer to a request. An [Attempt] calls it, on the loop of the exchange,
/// from [Attempt#sends] until the attempt is over.
public interface Reply {
    /// Reads and passes on what has arrived, until [Attempt#isBusy] returns false.
    void readable();

    /// Notes that the peer has taken all bytes.
    default void drained() {}

    /// Continues after [Attempt#pause], because the client takes more.
    void resumed();

    /// Handles that the client takes more, although the attempt does not wait for that any more.
    default void clientCatchesUp() {}

    /// Handles a deadline while the client is what the request waits for. The engine measures the
    /// client's pace, so most protocols only set the deadline again.
    void clientIsSlow();

    /// Handles a deadline while the peer is what the request waits for.
    void late();

    /// Handles that the client has left, or that the engine has ended the exchange.
    void clientLeft();

    /// Returns whether the response has begun, so that it can only be cut.
    boolean hasBegun();

    /// Ends the response, for [Attempt#complete].
    void endResponse();

    /// Answers the exchange, because the peer has left before its answer was complete. The attempt is
    /// over.
    ///
    /// @param begun what [#hasBegun] was before
    void lost(boolean begun);

    /// Gives back what was lent. Called once, when the attempt is over or another reply takes over.
    void release();
}
