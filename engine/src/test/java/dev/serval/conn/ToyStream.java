package dev.serval.conn;

import dev.serval.exchange.ExchangePort;
import dev.serval.exchange.ServerExchange;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.loop.Deadline;
import dev.serval.testkit.ToyFrames.Frame;
import org.jspecify.annotations.Nullable;

/// One stream of a [ToyConnection]. It carries an exchange, and after its end the rest of its bytes
/// to send. Used once.
final class ToyStream implements ExchangePort {
    private final ToyConnection connection;
    private final int number;
    private final Frame kind;
    private final ToyInlet inlet;
    private final ToyOutlet outlet;
    private final ToyContent content;
    private final ServerExchange exchange;
    private final Deadline due = new Deadline(this::due);
    private final LentHead head;
    private final StreamDeadlines deadlines;
    private @Nullable ProtocolError wrong; // with the head

    ToyStream(ToyConnection connection, int number, Frame kind) {
        this.connection = connection;
        this.number = number;
        this.kind = kind;
        this.head = new LentHead(connection.accepted().service().exchanges());
        this.deadlines = new StreamDeadlines(connection.accepted().service());
        this.inlet = new ToyInlet(connection, number);
        this.outlet = new ToyOutlet(connection, number, deadlines);
        this.content = new ToyContent(connection.accepted(), inlet, deadlines);
        ToyResponse response = new ToyResponse(connection, number, outlet, this::resetNow);
        this.exchange =
                new ServerExchange(connection.accepted().service(), this, content, response);
    }

    // Called by the connection

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
    void read(byte[] bytes, int at, int length) {
        wrong = ToyHeadReader.read(bytes, at, at + length, kind == Frame.HEAD, head.writer());
        head.grown();
    }

    /// Begins the exchange, which calls the handler at once.
    void begin() {
        if (kind == Frame.LAST_HEAD) {
            inlet.end(Fields.EMPTY);
        }
        @Nullable ProtocolError error = wrong;
        if (error == null) {
            exchange.begin(head.head());
        } else {
            exchange.refuseUnread(error, false);
        }
        resumed();
    }

    /// Refuses the stream, because there are too many.
    void refuse() {
        connection.send(number, Frame.RESET, "");
        head.giveBack();
    }

    /// Handles arrived content or its end.
    void arrived() {
        deadlines.endReading(inlet.received());
        exchange.readable();
        resumed();
    }

    /// Handles the end of the client's direction.
    void ended(Fields trailers) {
        inlet.end(trailers);
        arrived();
    }

    /// Handles the end of all bytes from the client.
    void cut() {
        inlet.cut();
        arrived();
    }

    /// Handles a reset or the loss of the connection.
    void lost(boolean byPeer) {
        leave();
        exchange.lost(byPeer ? Fault.PEER_GONE : Fault.SHUTDOWN);
        head.leave(exchange);
    }

    /// Handles a possible change after bytes were sent.
    void sent() {
        leaveIfOver();
    }

    /// Handles possible room to write.
    void writable() {
        if (outlet.queued() <= connection.accepted().limits().buffers().unsentMaxBytes() / 2) {
            exchange.writable();
        }
        resumed();
    }

    // Called by the exchange

    @Override
    public ConnectionFacts facts() {
        return connection.accepted();
    }

    @Override
    public TunnelRequest tunnel(RequestHead request) {
        @Nullable String protocol = request.connectProtocol();
        return protocol == null ? TunnelRequest.NONE : new TunnelRequest.ByConnect(protocol);
    }

    @Override
    public String name() {
        return "connection " + connection.accepted().id() + ", stream " + number;
    }

    @Override
    public void changed() {
        connection.loop().execute(this::resumed);
    }

    @Override
    public void resumed() {
        head.leave(exchange);
        leaveIfOver();
        rearm();
    }

    /// Sets the single deadline to the earliest instant.
    @Override
    public void rearm() {
        if (connection.accepted().net().isOpen() && !outlet.isClosed()) {
            connection.loop().timers().set(due, deadlines.nextNanos(exchange));
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

    /// Ends the stream at once, so that the client detects an incomplete response.
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

    /// Leaves the connection after all bytes were sent. Tells a client that still sends to stop.
    private void leaveIfOver() {
        if (!exchange.isFinished() || !outlet.isClosed()) {
            return;
        }
        if (!inlet.ended()) {
            connection.send(number, Frame.ENOUGH, "");
        }
        leave();
    }

    private void due() {
        switch (deadlines.late(inlet.received(), 0, outlet.sent(), exchange.minBytesPerSecond())) {
            case NONE -> deadlines.checkExchange(exchange);
            case READER -> {
                connection.send(number, Frame.RESET, "");
                exchange.blame(Fault.TOO_SLOW);
                lost(false);
            }
            case CONTENT -> exchange.failContent(Fault.TOO_SLOW);
        }
        resumed();
    }
}
