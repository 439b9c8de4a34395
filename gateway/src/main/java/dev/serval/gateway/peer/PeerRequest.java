package dev.serval.gateway.peer;

import dev.serval.exchange.EngineExchange;

/// One exchange on its way to a peer and back, as its protocol sees it. [PeerPool#acquire] starts
/// it. All methods are called on the loop of the exchange.
///
/// ```
///   acquire ──▶ granted ──▶ readable*, drained* ──▶ Peer.finish or Peer.fail, by the request
///      │                         └── lost, or overdue
///      └──▶ refused
/// ```
/// After `refused`, `lost`, [Peer#finish] or [Peer#fail], no method is called any more.
@SuppressWarnings("exports") // only the gateway and its protocols use it
public interface PeerRequest {
    /// Returns the exchange.
    EngineExchange exchange();

    /// Returns whether the same request was lost at a peer before. Its loss then says less about the
    /// health of the upstream than about the request.
    default boolean isRepeat() {
        return false;
    }

    /// Returns the upstreams at which the same request was lost before, as bits ([Peer#upstreamBit]).
    /// The request goes to another one as long as another one is up.
    default long lostAt() {
        return 0;
    }

    /// Returns the number of the upstream that the request is bound to ([Upstream#index]), such as
    /// that of its session; -1 for none. As long as that upstream is up, the request waits for it.
    default int boundTo() {
        return -1;
    }

    /// Takes a peer, which now belongs to this request. Write the request to
    /// `peer.connection().out()`. It may be called within [PeerPool#acquire].
    void granted(Peer peer);

    /// Handles that no peer was found. Nothing was sent. It may be called within
    /// [PeerPool#acquire].
    void refused(Refusal why);

    /// Handles bytes, or their end, that `peer.connection().in().fill()` can read.
    void readable();

    /// Notes that all written bytes were sent, after `peer.connection().wantDrained()` or after the
    /// socket was full.
    default void drained() {}

    /// Handles the loss of the connection. The peer is closed already, and the request may have
    /// been received, so it must not be sent again.
    void lost();

    /// Handles the deadline of [Peer#answerBy]. Call [Peer#fail], or set another deadline.
    void overdue();
}
