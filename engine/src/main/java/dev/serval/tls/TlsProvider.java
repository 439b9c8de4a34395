package dev.serval.tls;

import java.net.SocketAddress;
import java.util.List;
import javax.net.ssl.SSLEngine;

/// Creates the TLS engines for the connections of a listener. Any thread.
@FunctionalInterface
public interface TlsProvider {
    /// Creates an engine for the server's side of a connection. It must give the work of a handshake
    /// that takes long to others ([SSLEngine#getDelegatedTask]), since a loop calls it.
    SSLEngine engine(SocketAddress peer);

    /// Returns what a handshake may agree on by ALPN besides the protocols of the listener, which come
    /// first.
    default List<String> furtherProtocols() {
        return List.of();
    }
}
