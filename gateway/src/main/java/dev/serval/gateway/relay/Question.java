package dev.serval.gateway.relay;

import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.Refusal;

/// How a protocol sends a request. An [Attempt] calls it, on the loop of the exchange, until the
/// request is at a peer.
///
/// ```text
/// granted ──▶ Attempt.sends, or Attempt.finish if the request cannot be written
/// refused, unsent, repeat: the attempt is over and released
/// ```
public interface Question {
    /// Writes the request to a peer and calls [Attempt#sends], or calls [Attempt#finish] and answers
    /// the exchange.
    void granted(Peer peer);

    /// Returns the number of the upstream that the request is bound to, or -1. See
    /// `PeerRequest.boundTo`.
    default int boundTo() {
        return -1;
    }

    /// Answers the exchange, because no peer was found.
    ///
    /// @param waited whether the request was in the queue
    void refused(Refusal why, boolean waited);

    /// Answers the exchange, because writing the request has failed.
    void unsent();

    /// Begins another attempt, because the peer of this one has left.
    void repeat(Repetition next);

    /// Gives back what the request holds. Called once, when the attempt is over.
    void release();
}
