package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.http2.Preface;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Encryption;
import dev.serval.net.Input;
import dev.serval.policy.Leniency;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Serves HTTP/1.1 (RFC 9112) and HTTP/2 (RFC 9113). Without TLS, clients that begin with its preface
/// get HTTP/2, unless [dev.serval.policy.Http2Limits#enabled] is false. With TLS, ALPN decides. An
/// upgrade from HTTP/1.1 to `h2c` is ignored, because RFC 9113 has removed it.
///
/// @param leniency deviations from RFC 9112 and RFC 3986 that are accepted
@SuppressWarnings("exports") // as in Protocol
public record Http(Set<Leniency> leniency) implements Protocol {
    private static final String HTTP2 = "h2";

    /// A client of HTTP/1.0 may offer only that, which is registered, too (RFC 7301 §6). Its handshake
    /// would fail otherwise.
    private static final List<String> ONLY_HTTP1 = List.of("http/1.1", "http/1.0");

    private static final List<String> BOTH = List.of(HTTP2, "http/1.1", "http/1.0");

    /// Copies the set.
    public Http {
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

    @Override
    public List<String> applicationProtocols(ServiceLoop service) {
        return service.limits().http2().enabled() ? BOTH : ONLY_HTTP1;
    }

    /// Creates the drivers of connections whose first bytes, or ALPN, tell the protocol.
    private Entrance.Drivers connections(ServiceLoop service) {
        Http2Loop http = new Http2Loop(service, leniency);
        return new Http1(leniency)
                .connections(service, accepted -> new Http2Connection(http, accepted));
    }

    /// Returns how many bytes of a new connection's input agree with the preface of HTTP/2 (RFC 9113
    /// §3.3). After TLS, ALPN has decided (§3.2): all of its length, or none.
    static int preface(Connection connection) {
        @Nullable Encryption encryption = connection.encryption();
        if (encryption != null) {
            return encryption.applicationProtocol().equals(HTTP2) ? Preface.LENGTH : 0;
        }
        Input in = connection.in();
        return Preface.same(in.array(), in.from(), in.to());
    }
}
