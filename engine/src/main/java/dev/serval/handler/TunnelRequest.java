package dev.serval.handler;

/// Whether and how a request asks for a tunnel ([Exchange#upgrade]). The protocol of the connection
/// decides, so that handlers need not know which version they serve.
public sealed interface TunnelRequest {
    /// The request asks for none.
    TunnelRequest NONE = new None();

    /// The request asks for none.
    record None() implements TunnelRequest {}

    /// The request has the field Upgrade, and Connection names it (RFC 9110 §7.8). The answer that opens the tunnel is 101.
    ///
    /// @param protocols the value of the field, such as `websocket`
    record ByUpgrade(String protocols) implements TunnelRequest {}

    /// The request is an extended CONNECT, and its content is the tunnel (RFC 8441 §4). The answer
    /// that opens the tunnel is 2xx.
    ///
    /// @param protocol what the client asks for, such as `websocket`
    record ByConnect(String protocol) implements TunnelRequest {}
}
