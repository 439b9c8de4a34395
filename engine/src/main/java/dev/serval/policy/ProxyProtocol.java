package dev.serval.policy;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;

/// Says that each connection of a listener begins with a header of the PROXY protocol, version 1 or
/// 2 (HAProxy's proxy-protocol.txt). A connection without one is closed: a header that were optional
/// would let each client state its own address. Immutable.
///
/// @param senders the addresses whose headers are believed; a connection from another one is reset.
///     Empty for all, which is right only if nobody but proxies can reach the listener. Peers at a
///     Unix-domain socket are always believed, because its file says who may connect
public record ProxyProtocol(List<AddressRange> senders) {
    /// Requires the header of everybody who can connect.
    public static final ProxyProtocol REQUIRED = new ProxyProtocol(List.of());

    /// Copies the list.
    public ProxyProtocol {
        senders = List.copyOf(senders);
    }

    /// Returns whether the header of this peer is believed.
    public boolean believes(SocketAddress peer) {
        return senders.isEmpty()
                || !(peer instanceof InetSocketAddress inet)
                || AddressRange.contain(senders, inet.getAddress());
    }
}
