package dev.serval.handler;

import java.net.SocketAddress;

/// The facts about the connection of an exchange. Immutable for the exchange's life. Any
/// thread.
public interface ConnectionFacts {
    /// Returns the connection's number, which is positive and unique in its server.
    long id();

    /// Returns the server's address.
    SocketAddress local();

    /// Returns the address of the peer, which opened the connection.
    SocketAddress peer();

    /// Returns whether the connection is encrypted (TLS).
    boolean secure();
}
