package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.loop.EventLoop;
import dev.serval.loop.Throttle;
import dev.serval.net.ClearHeader;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.NetLoop;
import dev.serval.net.Transport;
import dev.serval.policy.Counter;
import dev.serval.policy.LabelledCounter;
import dev.serval.tls.TlsHost;
import dev.serval.tls.TlsProvider;
import dev.serval.tls.TlsTransport;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.LongPredicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;

/// Encrypts the connections of another protocol by TLS. If the listener requires PROXY headers, the
/// header comes first and in clear, so that the handshake counts for the client that it states.
///
/// @param protocol what the connections speak inside
/// @param tls creates their engines
/// @param work has a thread do the work of a handshake that takes long; false if too much waits, such
///     as [dev.serval.tls.HandshakeThreads#submit]
/// @param warnings whether one may be logged at a time of the monotonic clock, because clients cause them
public record TlsProtocol(
        Protocol protocol,
        TlsProvider tls,
        BiPredicate<SocketAddress, Runnable> work,
        LongPredicate warnings)
        implements Protocol {
    private static final long WARNING_NANOS = 60_000_000_000L;

    /// Warns at most once a minute.
    public TlsProtocol(
            Protocol protocol, TlsProvider tls, BiPredicate<SocketAddress, Runnable> work) {
        this(protocol, tls, work, new Throttle(WARNING_NANOS)::pass);
    }

    @Override
    @SuppressWarnings("exports") // as in Protocol
    public Driver.Factory drivers(ServiceLoop service) {
        return new Encrypted(protocol.drivers(service), new Host(service, this));
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
    private record Host(ServiceLoop service, TlsProtocol listener) implements TlsHost {
        @Override
        public SSLEngine engine(SocketAddress peer) {
            List<String> further = listener.tls.furtherProtocols();
            SSLEngine engine = listener.tls.engine(peer);
            List<String> offers = listener.protocol.applicationProtocols(service);
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
            return listener.work.test(peer, piece);
        }

        @Override
        public long handshakeNanos() {
            return service.limits().pace().handshakeNanos();
        }

        @Override
        public void failed(SocketAddress peer, Trouble why) {
            service.metrics().count(LabelledCounter.TLS_FAILURES, why.kind().text());
            EventLoop loop = service.exchanges().loop();
            String client =
                    peer instanceof InetSocketAddress inet
                            ? inet.getAddress().getHostAddress()
                            : peer.toString();
            loop.reportLost("The TLS handshake of " + client + " has failed", why.thrown());
            if (why.isOurs() && listener.warnings.test(loop.nowNanos())) {
                loop.reportWarning(
                        "The TLS handshake of "
                                + client
                                + " was refused, because "
                                + why.sentence()
                                + ". There is at most one such message a minute.");
            }
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
