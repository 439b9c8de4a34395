package dev.serval.gateway.relay;

/// Sends the content of a request to a peer. Order of calls: [#start], [#drained] whenever the peer
/// has taken all bytes, and [#stop] when the request ends. Owned by the loop of the exchange.
public interface Pump {
    /// Starts to send.
    void start();

    /// Continues, because the peer has taken all bytes.
    void drained();

    /// Sends no more.
    void stop();

    /// Returns whether all content and its end were written.
    boolean isSent();

    /// Returns whether the client, not the peer, is what the request waits for.
    boolean waitsForClient();
}
