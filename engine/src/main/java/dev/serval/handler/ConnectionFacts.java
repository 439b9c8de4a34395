package dev.serval.handler;

import dev.serval.http.RequestHead;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The facts about the connection of an exchange. Immutable for the exchange's life. Any
/// thread.
///
/// If the connection comes from a trusted proxy, these are the facts that the proxy tells of its
/// client, and [#direct] returns those of the connection itself. So everybody who asks sees the same
/// client.
public interface ConnectionFacts {
    /// Returns the connection's number, which is positive and unique in its server.
    long id();

    /// Returns the server's address.
    SocketAddress local();

    /// Returns the address of the client: of the peer that opened the connection, or of the client
    /// that a trusted proxy names. A port of 0 is unknown.
    SocketAddress peer();

    /// Returns whether the client's connection is encrypted (TLS): this one, or that to a trusted
    /// proxy which says so.
    boolean secure();

    /// Returns how this connection is encrypted; null if it is not, or if the facts are those of the
    /// client of a trusted proxy. Each call makes them anew.
    default @Nullable TlsFacts tls() {
        return null;
    }

    /// Returns the host and port that the client asked for, if a trusted proxy tells them. Null
    /// means that they are those of the request's head.
    default @Nullable String forwardedHost() {
        return null;
    }

    /// Returns the host, and perhaps the port, that the client asked for: what a trusted proxy tells,
    /// or else what the request names; empty if it names none.
    default String authority(RequestHead request) {
        @Nullable String told = forwardedHost();
        return told == null ? request.authority() : told;
    }

    /// Returns the facts of the connection itself.
    default ConnectionFacts direct() {
        return this;
    }
}
