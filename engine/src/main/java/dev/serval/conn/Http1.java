package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.net.Driver;
import dev.serval.policy.Leniency;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Serves HTTP/1.1 (RFC 9112), and HTTP/1.0 as far as it is the same.
///
/// @param leniency deviations from RFC 9112 that are accepted
@SuppressWarnings("exports") // as in Protocol
public record Http1(Set<Leniency> leniency) implements Protocol {
    /// Copies the set.
    public Http1 {
        leniency = Set.copyOf(leniency);
    }

    @Override
    public Driver.Factory drivers(ServiceLoop service) {
        return new Entrance(service, connections(service));
    }

    @Override
    public boolean takesProxyProtocol() {
        return true;
    }

    /// Creates the drivers of connections that speak HTTP/1.1, for a listener that has accepted them.
    Entrance.Drivers connections(ServiceLoop service) {
        return connections(service, null);
    }

    /// Creates the drivers likewise.
    ///
    /// @param http2 creates the drivers of connections that begin with the preface of HTTP/2; null if
    ///     they are refused
    Entrance.Drivers connections(ServiceLoop service, Entrance.@Nullable Drivers http2) {
        HttpLoop http = new HttpLoop(service, leniency, http2);
        return accepted -> new Http1Connection(http, accepted);
    }
}
