package dev.serval.tls;

import java.net.SocketAddress;
import javax.net.ssl.SSLEngine;

/// Creates the TLS engines for the connections of a listener. Any thread.
@FunctionalInterface
public interface TlsProvider {
    /// Creates an engine for the server's side of a connection. It must give the work of a handshake
    /// that takes long to others ([SSLEngine#getDelegatedTask]), since a loop calls it.
    SSLEngine engine(SocketAddress peer);
}
