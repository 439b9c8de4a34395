package dev.serval.conn;

import dev.serval.exchange.ExchangePort;
import dev.serval.exchange.ServerExchange;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHeadWriter;
import dev.serval.loop.Deadline;
import dev.serval.policy.Counter;
import dev.serval.testkit.ToyFrames.Frame;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One stream of a [ToyConnection]: carries an exchange, and what is left of it to be sent after it
/// has ended. Used once.
final class ToyStream implements ExchangePort {
    private final ToyConnection connection;
    private final int number;
    private final Frame kind;
    private final ToyInlet inlet;
    private final ToyOutlet outlet;
    private final ToyContent content;
    private final ServerExchange exchange;
    private final Deadline due = new Deadline(this::due);
    private @Nullable RequestHeadWriter head;

    ToyStream(ToyConnection connection, int number, Frame kind) {
        this.connection = connection;
        this.number = number;
        this.kind = kind;
        this.inlet = new ToyInlet(connection, number);
        this.outlet = new ToyOutlet(connection, number);
        this.content = new ToyContent(connection, inlet, kind);
        ToyResponse response = new ToyResponse(connection, number, outlet, this::resetNow);
        this.exchange = new ServerExchange(connection.http().service(), this, content, response);
    }

    // What the connection calls

    int number() {
        return number;
    }

    ToyInlet inlet() {
        return inlet;
    }

    ToyOutlet outlet() {
        return outlet;
    }

    /// Reads the head.
    boolean read(byte[] bytes, int at, int length) {
        RequestHeadWriter lent = connection.http().service().exchanges().lendHead();
        head = lent;
        int read = connection.http().parser().parse(bytes, at, at + length, at, lent);
        connection.http().service().exchanges().grown(lent);
        return read == length;
    }

    /// The handler is called at once.
    void begin(boolean read) {
        if (kind == Frame.LAST_HEAD) {
            inlet.end(Fields.EMPTY);
        }
        if (read) {
            exchange.begin(Objects.requireNonNull(head).head());
        } else {
            @Nullable ProtocolError error = connection.http().parser().error();
            exchange.refuseUnread(Objects.requireNonNull(error), false);
        }
        resumed();
    }

    /// There is no room for another stream.
    void refuse() {
        connection.send(number, Frame.RESET, "");
        giveBackHead();
    }

    /// Content came, or its end.
    void arrived() {
        exchange.readable();
        resumed();
    }

    /// The client's direction is over.
    void ended(Fields trailers) {
        inlet.end(trailers);
        arrived();
    }

    /// The client has finished sending altogether.
    void cut() {
        inlet.cut();
        arrived();
    }

    /// Reset, or the connection is gone.
    void lost(boolean byPeer) {
        leave();
        exchange.lost(byPeer ? Fault.PEER_GONE : Fault.SHUTDOWN);
        giveBackHead();
    }

    /// Something may have been sent.
    void sent() {
        leaveIfOver();
    }

    /// There may be room again.
    void writable() {
        if (outlet.queued() <= connection.limits().buffers().unsentMaxBytes() / 2) {
            exchange.writable();
        }
        resumed();
    }

    // What the exchange calls

    @Override
    public ConnectionFacts facts() {
        return connection;
    }

    @Override
    public String name() {
        return "connection " + connection.id() + ", stream " + number;
    }

    @Override
    public void changed() {
        connection.loop().execute(this::resumed);
    }

    @Override
    public void resumed() {
        giveBackHead();
        leaveIfOver();
        rearm();
    }

    /// Sets the one deadline to whatever comes first.
    @Override
    public void rearm() {
        if (connection.net().isOpen() && !outlet.isClosed()) {
            long ends = Math.min(exchange.overdueNanos(), paceEnds());
            connection.loop().timers().set(due, ends);
        }
    }

    @Override
    public void closeTunnel(Fault why) {
        if (why == Fault.SHUTDOWN) {
            outlet.end("");
        } else {
            resetNow();
        }
    }

    /// Ends the stream at once: the client sees that it is not whole.
    private void resetNow() {
        connection.send(number, Frame.RESET, "");
        leave();
    }

    private void leave() {
        outlet.close();
        inlet.close();
        connection.loop().timers().cancel(due);
        connection.forget(this);
    }

    /// Gives the head back once no task reads it any more.
    private void giveBackHead() {
        @Nullable RequestHeadWriter lent = head;
        if (lent != null && exchange.isFinished()) {
            head = null;
            connection.http().service().exchanges().giveBack(lent);
        }
    }

    /// Leaves the connection once all was sent; a client that still sends is told that it need not.
    private void leaveIfOver() {
        if (!exchange.isFinished() || !outlet.isClosed()) {
            return;
        }
        if (!inlet.ended()) {
            connection.send(number, Frame.ENOUGH, "");
        }
        leave();
    }

    private long paceEnds() {
        long sending = outlet.isWaiting() ? outlet.movedNanos() + stallNanos() : Deadline.NEVER;
        long reading =
                exchange.awaitsContent() && !exchange.isTunnel()
                        ? content.movedNanos() + stallNanos()
                        : Deadline.NEVER;
        return Math.min(sending, reading);
    }

    private void due() {
        long now = connection.now();
        boolean reads = exchange.awaitsContent() && !exchange.isTunnel();
        if (outlet.isWaiting() && now >= outlet.movedNanos() + stallNanos()) {
            connection.metrics().count(Counter.SLOW_READERS);
            connection.send(number, Frame.RESET, "");
            exchange.blame(Fault.TOO_SLOW);
            lost(false);
        } else if (reads && now >= content.movedNanos() + stallNanos()) {
            connection.metrics().count(Counter.SLOW_CONTENT);
            exchange.failContent(Fault.TOO_SLOW);
        } else if (now >= exchange.overdueNanos()) {
            exchange.overdue();
        }
        resumed();
    }

    private long stallNanos() {
        return connection.limits().pace().stallNanos();
    }
}
