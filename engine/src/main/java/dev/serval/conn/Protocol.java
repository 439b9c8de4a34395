package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.net.Driver;
import java.util.List;

/// The protocol that a listener's connections use. Immutable.
@FunctionalInterface
@SuppressWarnings("exports") // only the engine and its modules implement it
public interface Protocol {
    /// Creates the factory of the drivers for the listener's connections on one loop. Called by the
    /// thread that starts the server.
    Driver.Factory drivers(ServiceLoop service);

    /// Returns whether a listener with this protocol may require PROXY headers. [#drivers] must then
    /// obey [ServiceLoop#proxyProtocol], as [Entrance] does.
    default boolean takesProxyProtocol() {
        return false;
    }

    /// Returns what a handshake of TLS offers by ALPN (RFC 7301) now, best first; empty for what its
    /// provider offers.
    default List<String> applicationProtocols(ServiceLoop service) {
        return List.of();
    }
}
