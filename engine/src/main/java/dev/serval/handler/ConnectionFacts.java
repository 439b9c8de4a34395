package dev.serval.handler;

import java.net.SocketAddress;

/// What is known of the connection an exchange came by. Immutable for the exchange's life.
public interface ConnectionFacts {
    /// Unique in this process, counted from 1.
    long id();

    /// Our end.
    SocketAddress local();

    /// Whoever opened the connection.
    SocketAddress peer();

    /// Whether it is encrypted (TLS).
    boolean secure();
}
