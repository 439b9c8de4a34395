package dev.serval.gateway.peer;

import dev.serval.gateway.tls.UpstreamTls;
import dev.serval.loop.Deadline;
import dev.serval.loop.Reports;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.NetLoop;
import dev.serval.net.Network;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An attempt to connect to an upstream, for one request, with the TLS handshake if there is one. It
/// ends by itself, so that an upstream that does not answer keeps neither a socket nor a place in the
/// pool. An upstream with several addresses is tried at one after the other: one that refuses costs no
/// time, one that does not answer its part of the time. Owned by the loop of the exchange.
final class Dial {
    private static final String CONNECT_FAILED =
            Reports.text("A connection to an upstream could not be opened");

    private final PeerPool pool;
    private final NetLoop net;
    private final Upstream upstream;
    private final PeerTicket ticket;
    private final Deadline deadline = new Deadline(this::late);
    private final ArrayDeque<SocketAddress> untried;
    private @Nullable Runnable end; // of the present connect
    private int connects;
    private @Nullable DialTls tls; // if connections are encrypted
    private long startedNanos;
    private boolean over;

    /// Creates an attempt. The caller has reserved a connection.
    Dial(PeerPool pool, Upstream upstream, PeerTicket ticket) {
        this.pool = pool;
        this.net = ticket.net();
        this.upstream = upstream;
        this.ticket = ticket;
        this.untried = new ArrayDeque<>(upstream.addresses());
    }

    void start() {
        upstream.beginDial();
        startedNanos = net.loop().nowNanos();
        connect();
    }

    /// Connects to the next address. What fails at once is in `failed` before the call returns.
    private void connect() {
        long now = net.loop().nowNanos();
        long left = startedNanos + pool.limits().connectNanos() - now;
        net.loop().timers().set(deadline, now + left / untried.size());
        SocketAddress address = untried.removeFirst();
        int mine = ++connects;
        try {
            Runnable stop = net.connect(address, drivers(address), this::failed);
            if (mine == connects) {
                end = stop;
            }
        } catch (RuntimeException | Error e) { // its place in the pool would be lost for ever
            if (!over) {
                net.loop().report(CONNECT_FAILED, e);
                failed(new Network.NoMeans("A connection could not be opened: " + e));
            }
        }
    }

    private Driver.Factory drivers(SocketAddress address) {
        @Nullable UpstreamTls encrypts = upstream.tls();
        if (encrypts == null) {
            return connection -> connected(connection, address);
        }
        tls = new DialTls(this, upstream, encrypts, address, pool.limits().connectNanos());
        return tls;
    }

    private Driver connected(Connection connection, SocketAddress address) {
        upstream.reached(address);
        over();
        return new Peer(pool, upstream, connection, ticket, null);
    }

    /// Notes that the connection is open and its TLS handshake begins.
    void shakes(SocketAddress address) {
        upstream.reached(address);
        untried.clear(); // a fault of TLS is one of the server, whichever its address is
        end = null;
        net.loop().timers().set(deadline, startedNanos + pool.limits().connectNanos());
    }

    /// Ends with a connection whose TLS handshake is complete.
    Peer secured(Connection connection) {
        over();
        upstream.trouble(null);
        return new Peer(pool, upstream, connection, ticket, tls);
    }

    /// Tries the next address, or ends without a connection, once.
    void failed(IOException why) {
        if (over) {
            return;
        }
        if (!untried.isEmpty()) {
            net.loop().reportLost("No connection to an address of " + upstream.name(), why);
            connect();
            return;
        }
        over();
        @Nullable PeerFault fault = tls == null ? null : tls.fault();
        boolean own = why instanceof Network.NoMeans; // the upstream may be as well as ever
        pool.unreachable(
                upstream,
                ticket,
                startedNanos,
                own ? PeerFault.NO_MEANS : fault == null ? PeerFault.UNREACHABLE : fault,
                why);
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
