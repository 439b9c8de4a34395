package dev.serval.conn;

import dev.serval.conn.ConnectionDeadlines.Wait;
import dev.serval.loop.Deadline;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Input;
import dev.serval.policy.Counter;
import dev.serval.policy.ProxyProtocol;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// The first driver of a connection that must begin with a PROXY header. It reads the header, and
/// hands the connection to the driver of the protocol, which sees the addresses of the header.
///
/// The connection counts towards the limit of all connections from the start, and towards that of its
/// client's address once the header has told it. The header and the head of the first request share
/// one time limit, so a client gains no time by a slow header. With TLS, the handshake follows the
/// header. Owned by the loop.
final class ProxyHeaderDriver implements Driver {
    /// More than most headers have, and few enough to keep what comes after the header.
    private static final int READ_BYTES = 4096;

    private final AcceptedConnection accepted;
    private final Connection connection;
    private final Input in;
    private final Entrance.Drivers drivers;
    private final ProxyHeaderReader reader = new ProxyHeaderReader();
    private final ConnectionDeadlines deadlines;

    /// @param drivers creates the protocol's driver
    ProxyHeaderDriver(AcceptedConnection accepted, Entrance.Drivers drivers) {
        this.accepted = accepted;
        this.connection = accepted.net();
        this.in = connection.in();
        this.drivers = drivers;
        this.deadlines = new ConnectionDeadlines(accepted, this::due);
    }

    /// Counts the connection, and resets it if it is one too many or its peer is not believed.
    void begin(ProxyProtocol rule) {
        if (accepted.enterUnnamed() && !rule.believes(accepted.peer())) {
            accepted.refuse(Counter.PROXY_SENDERS_REFUSED);
        }
    }

    @Override
    public void readable() {
        int n = in.fill(READ_BYTES);
        in.consume(reader.read(in.array(), in.from(), in.to()));
        if (reader.isDone()) {
            handOver();
        } else if (reader.isWrong()) {
            refuse(reader.fault());
        } else if (n == Input.END) {
            if (in.received() == 0) {
                connection.close(); // such as a balancer that only asks whether the port is open
            } else {
                refuse("it ends too early");
            }
        } else {
            rearm();
        }
    }

    private void handOver() {
        deadlines.cancel();
        @Nullable SocketAddress peer = reader.source();
        @Nullable SocketAddress local = reader.destination();
        if (peer != null && local != null) {
            accepted.state(peer, local);
        }
        if (!accepted.enterNamed()) {
            return;
        }
        connection.headerEnded(accepted.peer(), accepted.openedNanos());
        Driver next = drivers.open(accepted);
        connection.driver(next);
        if (accepted.isDraining()) {
            next.drain();
        }
        next.readable();
    }

    private void refuse(String why) {
        accepted.metrics().refuse(Counter.PROXY_HEADERS_REFUSED);
        connection.loop().reportLost("A PROXY header was refused", new IOException(why));
        connection.close();
    }

    private void rearm() {
        deadlines.rearm(accepted.isDraining() ? Wait.LAST_REQUEST : Wait.HEAD, Deadline.NEVER);
    }

    private void due() {
        if (in.received() == 0 && accepted.isDraining()) {
            connection.close();
        } else {
            refuse("it did not arrive in time");
        }
    }

    /// It writes nothing.
    @Override
    public void blocked() {}

    /// It writes nothing.
    @Override
    public void drained() {}

    @Override
    public void closed(boolean byPeer) {
        deadlines.cancel();
        accepted.closed();
    }

    /// Lets a request that is on its way still be answered.
    @Override
    public void drain() {
        accepted.drain();
        deadlines.restart();
        rearm();
    }
}
