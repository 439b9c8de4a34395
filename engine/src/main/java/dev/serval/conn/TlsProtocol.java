package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.net.ClearHeader;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.NetLoop;
import dev.serval.net.Transport;
import dev.serval.policy.Counter;
import dev.serval.tls.TlsHost;
import dev.serval.tls.TlsProvider;
import dev.serval.tls.TlsTransport;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/// Encrypts the connections of another protocol by TLS. If the listener requires PROXY headers, the
/// header comes first and in clear, so that the handshake counts for the client that it states.
///
/// @param protocol what the connections speak inside
/// @param tls creates their engines
/// @param work has a thread do the work of a handshake that takes long; false if too much waits, such
///     as [dev.serval.tls.HandshakeThreads#submit]
public record TlsProtocol(
        Protocol protocol, TlsProvider tls, BiPredicate<SocketAddress, Runnable> work)
        implements Protocol {
    @Override
    @SuppressWarnings("exports") // as in Protocol
    public Driver.Factory drivers(ServiceLoop service) {
        return new Encrypted(protocol.drivers(service), new Host(service, tls, work, protocol));
    }

    /// Lays TLS over the socket of each connection.
    private record Encrypted(Driver.Factory drivers, Host host) implements Driver.Factory {
        @Override
        public Transport transport(NetLoop net, Transport socket) {
            Transport below = drivers.transport(net, socket);
            return host.service().proxyProtocol() == null
                    ? new TlsTransport(net, below, host)
                    : below;
        }

        @Override
        public Transport transport(NetLoop net, Transport socket, ClearHeader header) {
            return new TlsTransport(net, socket, host, header);
        }

        @Override
        public long acceptPauseNanos(NetLoop net) {
            return drivers.acceptPauseNanos(net);
        }

        @Override
        public Driver open(Connection connection) {
            return drivers.open(connection);
        }
    }

    /// Counts the handshakes of one listener on one loop.
    ///
    /// @param protocol tells what to offer by ALPN
    private record Host(
            ServiceLoop service,
            TlsProvider tls,
            BiPredicate<SocketAddress, Runnable> work,
            Protocol protocol)
            implements TlsHost {
        @Override
        public SSLEngine engine(SocketAddress peer) {
            List<String> further = tls.furtherProtocols();
            SSLEngine engine = tls.engine(peer);
            List<String> offers = protocol.applicationProtocols(service);
            if (!offers.isEmpty() || !further.isEmpty()) {
                SSLParameters parameters = engine.getSSLParameters();
                List<String> all =
                        new ArrayList<>(
                                offers.isEmpty()
                                        ? List.of(parameters.getApplicationProtocols())
                                        : offers);
                all.addAll(further);
                parameters.setApplicationProtocols(all.toArray(String[]::new));
                engine.setSSLParameters(parameters);
            }
            return engine;
        }

        @Override
        public boolean submit(SocketAddress peer, Runnable piece) {
            return work.test(peer, piece);
        }

        @Override
        public long handshakeNanos() {
            return service.limits().pace().handshakeNanos();
        }

        @Override
        public void ended(End how) {
            switch (how) {
                case DONE -> service.metrics().count(Counter.TLS_HANDSHAKES);
                case FAILED -> service.metrics().count(Counter.TLS_HANDSHAKES_FAILED);
                case LATE -> service.metrics().count(Counter.TLS_HANDSHAKES_LATE);
                case PLAIN_HTTP -> service.metrics().count(Counter.PLAIN_HTTP_TO_TLS);
                case REFUSED -> service.metrics().refuse(Counter.TLS_HANDSHAKES_REFUSED);
            }
        }

        @Override
        public void faulted(boolean flood) {
            if (flood) {
                service.metrics().refuse(Counter.CONNECTIONS_REFUSED_RECORDS);
            } else {
                service.metrics().count(Counter.PROTOCOL_ERRORS);
            }
        }
    }
}
