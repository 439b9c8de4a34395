package dev.serval.gateway.peer;

import static java.util.Objects.requireNonNull;

import dev.serval.gateway.tls.UpstreamTls;
import dev.serval.loop.Deadline;
import dev.serval.loop.Reports;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.NetLoop;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An attempt to connect to an upstream, for one request, with the TLS handshake if there is one. It
/// ends by itself, so that an upstream that does not answer keeps neither a socket nor a place in the
/// pool. Owned by the loop of the exchange.
final class Dial {
    private static final String CONNECT_FAILED =
            Reports.text("A connection to an upstream could not be opened");

    private final PeerPool pool;
    private final NetLoop net;
    private final Upstream upstream;
    private final PeerTicket ticket;
    private final Deadline deadline = new Deadline(this::late);
    private @Nullable Runnable end;
    private @Nullable DialTls tls; // if connections are encrypted
    private long startedNanos;
    private boolean over;

    /// Creates an attempt. The caller has reserved a connection.
    Dial(PeerPool pool, Upstream upstream, PeerTicket ticket) {
        this.pool = pool;
        this.net = ticket.net();
        this.upstream = upstream;
        this.ticket = ticket;
    }

    void start() {
        SocketAddress address = requireNonNull(upstream.address());
        upstream.beginDial();
        startedNanos = net.loop().nowNanos();
        net.loop().timers().set(deadline, startedNanos + pool.limits().connectNanos());
        try {
            end = net.connect(address, drivers(), this::failed);
        } catch (RuntimeException | Error e) { // its place in the pool would be lost for ever
            if (!over) {
                net.loop().report(CONNECT_FAILED, e);
                failed(new IOException("A connection could not be opened", e));
            }
        }
    }

    private Driver.Factory drivers() {
        @Nullable UpstreamTls encrypts = upstream.tls();
        if (encrypts == null) {
            return this::connected;
        }
        tls = new DialTls(this, upstream, encrypts, pool.limits().connectNanos());
        return tls;
    }

    private Driver connected(Connection connection) {
        over();
        return new Peer(pool, upstream, connection, ticket, null);
    }

    /// Notes that the connection is open and its TLS handshake begins.
    void shakes() {
        end = null;
    }

    /// Ends with a connection whose TLS handshake is complete.
    Peer secured(Connection connection) {
        over();
        upstream.trouble(null);
        return new Peer(pool, upstream, connection, ticket, tls);
    }

    /// Ends without a connection, once.
    void failed(IOException why) {
        if (over) {
            return;
        }
        over();
        @Nullable PeerFault fault = tls == null ? null : tls.fault();
        pool.unreachable(
                upstream, ticket, startedNanos, fault == null ? PeerFault.UNREACHABLE : fault, why);
    }

    private void late() {
        if (over) {
            return;
        }
        @Nullable Runnable connecting = end;
        if (connecting != null) {
            connecting.run();
        } else if (tls != null) {
            tls.late();
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(pool.limits().connectNanos());
        failed(new IOException(upstream.name() + " did not answer in " + millis + " ms"));
    }

    private void over() {
        over = true;
        net.loop().timers().cancel(deadline);
        upstream.endDial();
    }
}
