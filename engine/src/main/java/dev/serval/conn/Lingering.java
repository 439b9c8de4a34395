package dev.serval.conn;

import dev.serval.exchange.ServiceLoop;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.policy.Limits;

/// Ends our half of a connection and reads on for a while. A client may still send, or send its next
/// request because it could not know that this one was the last. Without the reading, a reset would
/// take our answer from it (RFC 9112 §9.6). Owned by the connection's loop.
final class Lingering {
    private final ServiceLoop service;
    private final Connection connection;
    private final Input in;
    private long from; // bytes received before it began

    Lingering(AcceptedConnection accepted) {
        this.service = accepted.service();
        this.connection = accepted.net();
        this.in = connection.in();
    }

    /// Begins, and drops what has arrived.
    ///
    /// @return whether the client has ended its half already
    boolean begin() {
        from = in.received();
        in.consume(in.length());
        connection.endOutput();
        connection.wantRead(true);
        return in.ended();
    }

    /// Drops what arrives.
    ///
    /// @return whether the client has ended its half, or has sent more than it may
    boolean isOver() {
        int n = in.fill();
        in.consume(in.length());
        long dropped = in.received() - from;
        Limits.Contents bounds = service.limits().content();
        // No addition, because a limit may be Long.MAX_VALUE.
        return n == Input.END || dropped - bounds.lingerMaxBytes() > bounds.mostBytes();
    }
}
