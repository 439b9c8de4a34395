package dev.serval.tls;

import java.io.IOException;
import java.net.SocketAddress;
import javax.net.ssl.SSLEngine;

/// What a [TlsTransport] needs of the listener that has accepted its connection, or of what has
/// connected. Owned by the loop.
public interface TlsHost {
    /// How a handshake ended.
    enum End {
        /// Both sides have agreed, and the connection carries content.
        DONE,
        /// One side has refused, or the client has left.
        FAILED,
        /// It was not complete in time.
        LATE,
        /// The client has sent plain HTTP.
        PLAIN_HTTP,
        /// Too many handshakes were in progress.
        REFUSED
    }

    /// Returns whether this is the client's side, which sends the first record.
    default boolean isClient() {
        return false;
    }

    /// Creates the engine of a connection with `peer`. Called when its first byte has arrived, and on
    /// the client's side at the first read.
    SSLEngine engine(SocketAddress peer);

    /// Has another thread do work of a handshake with `peer` that takes long.
    ///
    /// @return false if too much waits already; then it will not run
    boolean submit(SocketAddress peer, Runnable work);

    /// Returns how long a handshake may take from the accept to its end, in nanoseconds.
    long handshakeNanos();

    /// Notes how a handshake ended. Called at most once for each connection.
    void ended(End how);

    /// Notes why a connection ends: a fault of the peer in the handshake or later, or the loss of its
    /// socket in the handshake. Called at most once, before [#ended] or [#faulted].
    default void broken(IOException why) {}

    /// Notes that the peer of a complete handshake has broken the rules of TLS or a limit, so that the
    /// connection ends. Called at most once for each connection.
    ///
    /// @param flood whether it was a limit of records
    void faulted(boolean flood);
}
