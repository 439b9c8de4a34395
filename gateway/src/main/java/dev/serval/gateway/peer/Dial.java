package dev.serval.gateway.peer;

import static java.util.Objects.requireNonNull;

import dev.serval.loop.Deadline;
import dev.serval.loop.Reports;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.NetLoop;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An attempt to connect to an upstream, for one request. It ends by itself, so that an upstream
/// that does not answer keeps neither a socket nor a place in the pool. Owned by the loop of the
/// exchange.
final class Dial {
    private static final String CONNECT_FAILED =
            Reports.text("A connection to an upstream could not be opened");

    private final PeerPool pool;
    private final NetLoop net;
    private final Upstream upstream;
    private final PeerTicket ticket;
    private final Deadline deadline = new Deadline(this::late);
    private @Nullable Runnable end;
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
            end = net.connect(address, this::connected, this::failed);
        } catch (RuntimeException | Error e) { // its place in the pool would be lost for ever
            if (!over) {
                net.loop().report(CONNECT_FAILED, e);
                failed(new IOException("A connection could not be opened", e));
            }
        }
    }

    private Driver connected(Connection connection) {
        over();
        return new Peer(pool, upstream, connection, ticket);
    }

    private void failed(IOException why) {
        over();
        pool.unreachable(upstream, ticket, startedNanos, why);
    }

    private void late() {
        if (over) {
            return;
        }
        over();
        requireNonNull(end).run();
        long millis = TimeUnit.NANOSECONDS.toMillis(pool.limits().connectNanos());
        pool.unreachable(
                upstream,
                ticket,
                startedNanos,
                new IOException(upstream.name() + " did not answer in " + millis + " ms"));
    }

    private void over() {
        over = true;
        net.loop().timers().cancel(deadline);
        upstream.endDial();
    }
}
