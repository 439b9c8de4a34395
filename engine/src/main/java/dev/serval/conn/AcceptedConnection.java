package dev.serval.conn;

import dev.serval.exchange.Admission;
import dev.serval.exchange.ServiceLoop;
import dev.serval.handler.ConnectionFacts;
import dev.serval.net.Connection;
import dev.serval.net.Output;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.policy.Metrics;
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
        /// Admission has not counted it.
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
    private Standing standing = Standing.REFUSED;

    AcceptedConnection(ServiceLoop service, Connection connection) {
        this.service = service;
        this.connection = connection;
        this.openedNanos = connection.loop().nowNanos();
    }

    /// Counts the connection, and resets it if admission refuses it.
    void enter() {
        if (limits().counts().perAddressMax() > 0
                && connection.peer() instanceof InetSocketAddress address) {
            client = address.getAddress();
        }
        metrics().count(Counter.CONNECTIONS_ACCEPTED);
        switch (admission().enter(client)) {
            case ADMITTED -> standing = Standing.ADMITTED;
            case SERVER_FULL -> refuse(Counter.CONNECTIONS_REFUSED_LIMIT);
            case ADDRESS_FULL -> refuse(Counter.CONNECTIONS_REFUSED_ADDRESS);
        }
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
        if (standing != Standing.REFUSED) {
            admission().leave(client);
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
        return connection.local();
    }

    @Override
    public SocketAddress peer() {
        return connection.peer();
    }

    /// No transport encrypts yet.
    @Override
    public boolean secure() {
        return false;
    }

    private void refuse(Counter reason) {
        metrics().refuse(reason);
        connection.abort();
    }

    private Admission admission() {
        return service.service().admission();
    }
}
