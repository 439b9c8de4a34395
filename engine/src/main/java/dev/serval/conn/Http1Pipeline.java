package dev.serval.conn;

import dev.serval.loop.Command;
import dev.serval.net.Connection;

/// Decides how many pipelined requests a connection serves in a turn, and when the others wait for
/// us in the input. Owned by the connection's loop.
final class Http1Pipeline {
    /// The side that must act before the requests in the input continue.
    private enum Waiting {
        FOR_CLIENT,
        FOR_US
    }

    private final AcceptedConnection accepted;
    private final Connection connection;
    private final Command lookAgain;
    private Waiting waiting = Waiting.FOR_CLIENT;

    /// @param resumed continues the connection, after the current calls have returned
    Http1Pipeline(AcceptedConnection accepted, Runnable resumed) {
        this.accepted = accepted;
        this.connection = accepted.net();
        this.lookAgain = connection.command(resumed);
    }

    /// Returns how many requests may be served now.
    int requestsMax() {
        int most = accepted.limits().counts().requestsPerTurnMax();
        return connection.net().isTurnFull() ? 1 : most;
    }

    /// Returns whether another request may be served, of `left` that may be served now. If not, it
    /// stops reading, so that a flood of requests stays with the client.
    boolean mayServe(int left) {
        boolean isShort = connection.net().isShortOfMemory();
        int most = isShort ? 0 : accepted.limits().buffers().unsentMaxBytes();
        boolean room = connection.out().backlog() <= most;
        if (room && left > 0) {
            return true;
        }
        waiting = Waiting.FOR_US;
        connection.wantRead(false);
        if (room) {
            lookAgain(); // after the other connections
        } else {
            connection.wantDrained();
        }
        return false;
    }

    /// Returns whether the requests in the input wait for us.
    boolean isPaused() {
        return waiting == Waiting.FOR_US;
    }

    /// Lets the requests in the input continue.
    ///
    /// @return whether they waited for us
    boolean resume() {
        boolean paused = isPaused();
        waiting = Waiting.FOR_CLIENT;
        connection.wantRead(true);
        return paused;
    }

    /// Continues the connection soon.
    void lookAgain() {
        connection.loop().submit(lookAgain);
    }
}
