package dev.serval.tls;

import java.net.SocketAddress;
import javax.net.ssl.SSLEngine;

/// What a [TlsTransport] needs of the listener that has accepted its connection. Owned by the loop.
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

    /// Creates the engine of a connection with `peer`. Called when its first byte has arrived.
    SSLEngine engine(SocketAddress peer);

    /// Has another thread do work of a handshake with `peer` that takes long.
    ///
    /// @return false if too much waits already; then it will not run
    boolean submit(SocketAddress peer, Runnable work);

    /// Returns how long a handshake may take from the accept to its end, in nanoseconds.
    long handshakeNanos();

    /// Notes how a handshake ended. Called at most once for each connection.
    void ended(End how);

    /// Notes that the peer of a complete handshake has broken the rules of TLS or a limit, so that the
    /// connection ends. Called at most once for each connection.
    void faulted();
}
