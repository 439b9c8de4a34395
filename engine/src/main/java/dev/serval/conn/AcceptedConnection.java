package dev.serval.conn;

import dev.serval.exchange.Admission;
import dev.serval.exchange.ServiceLoop;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.TlsFacts;
import dev.serval.net.Connection;
import dev.serval.net.Output;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.policy.Metrics;
import dev.serval.policy.TrustedProxies;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A connection that a listener has accepted: its place in admission, its counters and its facts. It
/// belongs to no protocol: a driver that hands the connection to another one also hands on this
/// object, so that the connection is counted once.
///
/// ```
///   REFUSED ── enter ──▶ ADMITTED ── drain ──▶ DRAINING
/// ```
/// Owned by the connection's loop; the facts may be read by any thread.
final class AcceptedConnection implements ConnectionFacts {
    /// The state in admission.
    private enum Standing {
        /// Admission does not count it.
        REFUSED,
        /// Admission has counted it and must be notified when it closes.
        ADMITTED,
        /// As `ADMITTED`, and the server drains.
        DRAINING
    }

    private final ServiceLoop service;
    private final Connection connection;
    private final long openedNanos;
    private @Nullable InetAddress client; // null if connections are not counted by address
    private @Nullable Stated stated; // null if the addresses of the connection itself count
    private Standing standing = Standing.REFUSED;

    /// The addresses that the header of a proxy states.
    private record Stated(SocketAddress peer, SocketAddress local) {}

    AcceptedConnection(ServiceLoop service, Connection connection) {
        this.service = service;
        this.connection = connection;
        this.openedNanos = connection.loop().nowNanos();
    }

    /// Counts the connection, and resets it if admission refuses it.
    void enter() {
        client = counted(connection.peer());
        enterFor(client);
    }

    /// Counts the connection as [#enter] does, but not yet for an address, because a proxy tells the
    /// client later.
    ///
    /// @return whether it is admitted
    boolean enterUnnamed() {
        enterFor(null);
        return standing == Standing.ADMITTED;
    }

    /// Takes the addresses that a proxy states in place of those of the connection.
    void state(SocketAddress peer, SocketAddress local) {
        stated = new Stated(peer, local);
    }

    /// Counts a connection of [#enterUnnamed] for its client's address, and resets it if the address
    /// has as many as it may.
    ///
    /// @return whether it is admitted
    boolean enterNamed() {
        @Nullable InetAddress address = counted(peer());
        if (address != null && !admission().admits(address)) {
            refuse(Counter.CONNECTIONS_REFUSED_ADDRESS);
            return false;
        }
        client = address;
        return true;
    }

    private void enterFor(@Nullable InetAddress address) {
        metrics().count(Counter.CONNECTIONS_ACCEPTED);
        service.exchanges().load().arrived();
        switch (admission().enter(address)) {
            case ADMITTED -> standing = Standing.ADMITTED;
            case SERVER_FULL -> refuse(Counter.CONNECTIONS_REFUSED_LIMIT);
            case ADDRESS_FULL -> refuse(Counter.CONNECTIONS_REFUSED_ADDRESS);
        }
    }

    /// Returns the address for which connections are counted, if they are. Those of a trusted proxy
    /// are not, because they are of many clients.
    private @Nullable InetAddress counted(SocketAddress peer) {
        if (limits().counts().perAddressMax() == 0 || !(peer instanceof InetSocketAddress inet)) {
            return null;
        }
        @Nullable TrustedProxies trusted = service.settings().trustedProxies();
        return trusted != null && trusted.trusts(peer) ? null : inet.getAddress();
    }

    /// Counts a refusal and resets the connection.
    void refuse(Counter reason) {
        metrics().refuse(reason);
        connection.abort();
    }

    /// Notes that the server drains.
    void drain() {
        if (standing == Standing.ADMITTED) {
            standing = Standing.DRAINING;
        }
    }

    /// Returns whether the server drains.
    boolean isDraining() {
        return standing == Standing.DRAINING;
    }

    /// Counts the end of the connection. Its last driver calls this once, in [dev.serval.net.Driver#closed].
    void closed() {
        metrics().count(Counter.CONNECTIONS_CLOSED);
        metrics().add(Counter.BYTES_IN, connection.in().received());
        metrics().add(Counter.BYTES_OUT, connection.out().sent());
        leave();
    }

    /// Gives the place in admission back before the connection is closed in this turn of the loop, so that
    /// what else is decided in the turn does not count it. One that has bytes to send stays for longer.
    void leaveEarly() {
        if (connection.out().isEmpty()) {
            leave();
        }
    }

    private void leave() {
        if (standing != Standing.REFUSED) {
            admission().leave(client);
            standing = Standing.REFUSED;
        }
    }

    /// Returns the loop's part of the listener's service.
    ServiceLoop service() {
        return service;
    }

    /// Returns the limits in force.
    Limits limits() {
        return service.limits();
    }

    /// Returns the loop's counters.
    Metrics.Column metrics() {
        return service.metrics();
    }

    /// Returns the socket's side.
    Connection net() {
        return connection;
    }

    /// Returns the instant at which the connection was accepted.
    long openedNanos() {
        return openedNanos;
    }

    /// Returns the room in bytes for more of a response of which `waiting` bytes wait. Returns 0 if
    /// the connection is lost or has used its quota of the turn, so that a handler that writes while
    /// there is room stops.
    long room(long waiting) {
        Output out = connection.out();
        return out.hasUsedQuota() || !connection.isOpen()
                ? 0
                : limits().buffers().unsentMaxBytes() - waiting;
    }

    @Override
    public long id() {
        return connection.id() << 10 | connection.loop().index();
    }

    @Override
    public SocketAddress local() {
        return stated == null ? connection.local() : stated.local();
    }

    @Override
    public SocketAddress peer() {
        return stated == null ? connection.peer() : stated.peer();
    }

    @Override
    public boolean secure() {
        return connection.encryption() != null;
    }

    @Override
    public @Nullable TlsFacts tls() {
        return TlsFactsReader.read(connection.encryption());
    }

    private Admission admission() {
        return service.service().admission();
    }
}
