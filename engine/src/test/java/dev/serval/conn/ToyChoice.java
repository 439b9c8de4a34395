package dev.serval.conn;

import dev.serval.conn.ConnectionDeadlines.Wait;
import dev.serval.loop.Deadline;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Input;
import dev.serval.policy.Counter;
import dev.serval.policy.Leniency;
import dev.serval.testkit.ToyFrames;

/// Chooses the protocol of a connection by its first bytes: the toy protocol after its preface,
/// otherwise HTTP/1.1. The first difference decides, so an HTTP/1.1 request never waits.
final class ToyChoice implements Driver {
    /// The protocol of a listener that chooses.
    static final Protocol PROTOCOL =
            service -> {
                Entrance.Drivers http = new Http1(Leniency.defaults()).connections(service);
                return new Entrance(service, accepted -> new ToyChoice(accepted, http));
            };

    private static final byte[] PREFACE = ToyFrames.preface();

    private final AcceptedConnection accepted;
    private final Connection connection;
    private final Input in;
    private final Entrance.Drivers http;
    private final ConnectionDeadlines deadlines;

    private ToyChoice(AcceptedConnection accepted, Entrance.Drivers http) {
        this.accepted = accepted;
        this.connection = accepted.net();
        this.in = connection.in();
        this.http = http;
        this.deadlines = new ConnectionDeadlines(accepted, this::due);
    }

    @Override
    public void readable() {
        int n = in.fill();
        int same = 0;
        while (same < PREFACE.length
                && same < in.length()
                && in.array()[in.from() + same] == PREFACE[same]) {
            same++;
        }
        if (same == PREFACE.length) {
            in.consume(same);
            handTo(ToyConnection::new);
        } else if (same < in.length() || n == Input.END) {
            handTo(http);
        } else {
            deadlines.rearm(Wait.HEAD, Deadline.NEVER);
        }
    }

    private void handTo(Entrance.Drivers chosen) {
        deadlines.cancel();
        Driver next = chosen.open(accepted);
        connection.driver(next);
        next.readable();
    }

    private void due() {
        accepted.metrics().count(Counter.HEAD_TIMEOUTS);
        connection.close();
    }

    @Override
    public void blocked() {
        // It writes nothing.
    }

    @Override
    public void drained() {
        // It writes nothing.
    }

    @Override
    public void closed(boolean byPeer) {
        deadlines.cancel();
        accepted.closed();
    }

    @Override
    public void drain() {
        connection.close();
    }
}
