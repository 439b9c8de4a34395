package dev.serval.conn;

import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.policy.Limits;

/// Ends our half of a connection and reads on for a while. A client may still send, or send its next
/// request because it could not know that this one was the last. Without the reading, a reset would
/// take our answer from it (RFC 9112 §9.6). Owned by the connection's loop.
final class Lingering {
    /// What a client must send at least, in each wait of `lingerNanos`, to be read on. A slower one is not
    /// about to end.
    private static final int GOES_ON_BYTES = 64 << 10;

    private static final int WAITS_MAX = 15;

    private final AcceptedConnection accepted;
    private final ConnectionDeadlines deadlines;
    private final Connection connection;
    private final Input in;
    private long from; // bytes received before it began
    private long seen; // bytes received before the present wait
    private int waits;

    Lingering(AcceptedConnection accepted, ConnectionDeadlines deadlines) {
        this.deadlines = deadlines;
        this.accepted = accepted;
        this.connection = accepted.net();
        this.in = connection.in();
    }

    /// Begins, and drops what has arrived.
    ///
    /// @return whether the client has ended its half already
    boolean begin() {
        from = in.received();
        seen = from;
        in.consume(in.length());
        connection.endOutput();
        connection.wantRead(true);
        return in.ended();
    }

    /// Begins another wait after one is over, if the client still sends content at a good pace. Many
    /// clients read an answer only after they have sent all.
    ///
    /// @return whether it has begun
    boolean goesOn() {
        boolean sends = in.received() - seen >= GOES_ON_BYTES;
        seen = in.received();
        waits++;
        boolean goesOn = sends && waits < WAITS_MAX && !accepted.isDraining();
        if (goesOn) {
            deadlines.restart();
        }
        return goesOn;
    }

    /// Drops what arrives.
    ///
    /// @return whether the client has ended its half, or has sent more than it may
    boolean isOver() {
        int n = in.fill();
        in.consume(in.length());
        long dropped = in.received() - from;
        Limits.Contents bounds = accepted.service().limits().content();
        // No addition, because a limit may be Long.MAX_VALUE.
        return n == Input.END || dropped - bounds.lingerMaxBytes() > bounds.mostBytes();
    }
}
