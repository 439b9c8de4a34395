package dev.serval.conn;

import dev.serval.conn.StreamDeadlines.Lateness;
import dev.serval.exchange.ExchangePort;
import dev.serval.exchange.ResponsePort;
import dev.serval.exchange.ServerExchange;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http2.ErrorCode;
import dev.serval.http2.Priority;
import dev.serval.http2.SendOrder;
import dev.serval.http2.StreamState;
import dev.serval.loop.Deadline;
import org.jspecify.annotations.Nullable;

/// One stream of an [Http2Connection]. It carries an exchange, and after its end the rest of its bytes
/// to send. It stays in the connection's count until no application code works for it, so that a
/// client that resets its streams cannot have more of them in progress than others.
///
/// The object serves one stream after the other: [#open], [#writer], [#begin], and what arrives for it.
/// Then it goes back to its [Http2Loop]. Owned by the loop.
final class Http2Stream implements ExchangePort, ExchangePort.Figures, SendOrder.Member {
    private final Http2Loop http;
    private final Http2Content content;
    private final Http2Response response;
    private final ServerExchange exchange;
    private final Runnable check = this::checkDeadlines;
    private final Deadline due = new Deadline(() -> accepted().net().guarded(check));
    private final LentHead head;
    private final StreamDeadlines deadlines;
    private @Nullable Http2Connection connection; // kept for code that reads its facts late
    private boolean serving; // whether the connection counts it
    private int number;
    private int priority = Priority.FAIR;
    private StreamState state = StreamState.CLOSED;
    private boolean begun; // the exchange
    private boolean ordered; // whether it has a place in the sending order
    private long lingerNanos = Deadline.NEVER; // when the client's half is reset
    private long headNanos;
    private long framed; // bytes of the head, and of the framing of all
    private long earlier;

    Http2Stream(Http2Loop http) {
        this.http = http;
        this.head = new LentHead(http.service().exchanges());
        this.deadlines = new StreamDeadlines(http.service());
        this.content = new Http2Content(http, this, deadlines);
        this.response = new Http2Response(this);
        this.exchange = new ServerExchange(http.service(), this, content, response);
    }

    // Called by the connection

    /// Begins to serve a stream whose head is being read.
    ///
    /// @param before how many requests the connection had before this one
    void open(Http2Connection of, int streamNumber, long before) {
        connection = of;
        serving = true;
        number = streamNumber;
        earlier = before;
        state = StreamState.OPEN;
        begun = false;
        lingerNanos = Deadline.NEVER;
        headNanos = http.service().nowNanos();
        framed = 0;
        deadlines.restart(of.shared());
        content.open(of.announced());
        response.begin(of.peerWindow());
    }

    @Override
    public int streamNumber() {
        return number;
    }

    @Override
    public int priority() {
        return priority;
    }

    /// Changes the [Priority] of the response, also while it waits for its turn.
    void prioritize(int other) {
        boolean waits = ordered && sender().leave(this);
        priority = other;
        if (waits) {
            sender().ready(this);
        }
    }

    /// Returns the writer of the request's head.
    RequestHeadWriter writer() {
        return head.writer();
    }

    /// Returns the bytes of memory that the head, a compressor and content of the request take.
    long heldBytes() {
        return head.heldBytes() + exchange.compressorBytes() + content.heldBytes();
    }

    /// Counts the memory of a head whose end has not arrived.
    void headGrew() {
        head.grown();
    }

    /// Counts received bytes of the head and of framing.
    void framed(int bytes) {
        framed += bytes;
    }

    Http2Content content() {
        return content;
    }

    Http2Response response() {
        return response;
    }

    /// Returns whether the client may still send on the stream.
    boolean isRemoteOpen() {
        return state.isRemoteOpen();
    }

    /// Returns whether the stream is only kept because application code still works for it.
    boolean isClosed() {
        return state == StreamState.CLOSED;
    }

    /// Begins the exchange, which calls the handler at once.
    ///
    /// @param last whether the client has ended its half
    /// @param refused the rule that the head broke, or null
    void begin(boolean last, @Nullable ProtocolError refused, boolean headOnly) {
        head.grown();
        begun = true;
        if (last) {
            content.end(Fields.EMPTY);
            state = state.remoteEnded();
        }
        if (refused == null) {
            exchange.begin(head.head());
        } else {
            exchange.refuseUnread(refused, headOnly);
        }
        resumed();
    }

    /// Ends a stream whose exchange has not begun.
    void drop() {
        head.giveBack();
        closeStream();
        connection().forget(this);
    }

    /// Handles arrived content.
    void arrived() {
        deadlines.endReading(content.received());
        exchange.readable();
        resumed();
    }

    /// Handles the end of the client's half.
    void ended() {
        state = state.remoteEnded();
        arrived();
    }

    /// Handles the end of the connection's input.
    void cut() {
        content.cut();
        arrived();
    }

    /// Ends the stream and its exchange: the client has reset it, broke a rule, or is gone. A stream
    /// whose exchange has not begun ends by [#drop].
    void lost(Fault why) {
        closeStream();
        exchange.lost(why);
        head.leave(exchange);
        leaveIfOver();
    }

    /// Records why the exchange ends.
    void blame(Fault why) {
        exchange.blame(why);
    }

    /// Sends one frame, if the windows allow it.
    Http2Response.Step send() {
        return response.send();
    }

    /// Handles that the connection's window is used up.
    void starve() {
        deadlines.beginSending(response.sent(), exchange.minBytesPerSecond());
        rearm();
    }

    /// Handles that nothing more can be sent at present.
    void rest() {
        ordered = false;
        if (response.isClosed()) {
            state = state.localEnded();
        } else if (response.queued() <= http.limits().buffers().unsentMaxBytes() / 2) {
            exchange.writable();
        }
        if (!response.isWaiting()) {
            deadlines.endSending(response.sent());
        } else if (!ordered) {
            deadlines.beginSending(response.sent(), exchange.minBytesPerSecond());
        }
        resumed();
    }

    /// Stops waiting for a window, because the whole connection waits.
    void blocked() {
        deadlines.endSending(response.sent());
    }

    /// Looks at the windows again, after the connection has waited.
    void unblocked() {
        if (response.isWaiting()) {
            ready();
        }
    }

    // Called by content and response

    AcceptedConnection accepted() {
        return connection().accepted();
    }

    Http2Sender sender() {
        return connection().sender();
    }

    /// Lets the client send that many more bytes on all its streams together.
    void grantConnection(int bytes) {
        if (serving) {
            connection().grant(bytes);
        }
    }

    /// Asks for a turn to send.
    void ready() {
        if (!ordered && serving) {
            ordered = true;
            sender().ready(this);
        }
    }

    /// Notes that the head of the response was made.
    void responseBegins() {
        connection().responseBegins(exchange.notes().isRefused());
    }

    /// Notes that a frame of content was sent.
    void sentData(int bytes) {
        connection().guard().data(bytes);
    }

    /// Ends the stream at once, so that the client detects an incomplete response.
    void resetByServer() {
        connection().reset(number, ErrorCode.INTERNAL_ERROR);
        closeStream();
    }

    /// Ends the stream because the file that it sends was changed.
    void fileChanged() {
        resetByServer();
        lost(Fault.APPLICATION);
    }

    long nowNanos() {
        return http.service().nowNanos();
    }

    // Called by the exchange

    @Override
    public ConnectionFacts facts() {
        return accepted();
    }

    @Override
    public TunnelRequest tunnel(RequestHead request) {
        @Nullable String protocol = request.connectProtocol();
        return protocol == null ? TunnelRequest.NONE : new TunnelRequest.ByConnect(protocol);
    }

    @Override
    public String name() {
        return "connection " + accepted().id() + ", stream " + number;
    }

    @Override
    public void changed() {
        http.service().exchanges().loop().execute(this::resumed);
    }

    @Override
    public void resumed() {
        if (serving && begun) {
            head.leave(exchange);
            leaveIfOver();
            rearm();
        }
    }

    /// Sets the single deadline to the earliest instant.
    @Override
    public void rearm() {
        if (serving && connection().isOpen() && state != StreamState.CLOSED) {
            long next = Math.min(lingerNanos, deadlines.nextNanos(exchange));
            http.service().exchanges().loop().timers().set(due, next);
        }
    }

    @Override
    public void closeTunnel(Fault why) {
        if (why == Fault.SHUTDOWN) {
            response.end(Fields.EMPTY, ResponsePort.Ending.WHOLE, false);
        } else {
            response.reset();
        }
    }

    @Override
    public Figures figures() {
        return this;
    }

    @Override
    public long acceptedNanos() {
        return accepted().openedNanos();
    }

    @Override
    public long firstByteNanos() {
        return headNanos;
    }

    @Override
    public long receivedBytes() {
        return framed + content.received();
    }

    @Override
    public long sentBytes() {
        return response.bytes();
    }

    @Override
    public long earlierExchanges() {
        return earlier;
    }

    @Override
    public boolean persists() {
        return connection().persists();
    }

    private void closeStream() {
        state = StreamState.CLOSED;
        response.close();
        content.close();
        http.service().exchanges().loop().timers().cancel(due);
    }

    /// Leaves the connection after all bytes were sent and no code works for the exchange. Tells a
    /// client that still sends to stop (RFC 9113 §8.1), but not at once.
    private void leaveIfOver() {
        if (!serving || !response.isClosed() || (begun && !exchange.isFinished()) || lingers()) {
            return;
        }
        Http2Connection of = connection();
        if (state.isRemoteOpen()) {
            of.reset(number, ErrorCode.NO_ERROR);
        }
        if (response.isWhole()) {
            of.guard().response();
        }
        closeStream();
        of.forget(this);
    }

    /// Reads on for a while after a whole response, because many clients drop what they have not read
    /// of it when the stream is reset. Content is dropped meanwhile.
    ///
    /// @return whether it still does
    private boolean lingers() {
        if (!state.isRemoteOpen() || !response.isWhole() || !content.isOpen()) {
            return false;
        }
        long now = http.service().nowNanos();
        if (lingerNanos == Deadline.NEVER) {
            lingerNanos = now + http.limits().pace().lingerNanos();
            content.discardRest(http.limits().content().discardMaxBytes());
            deadlines.endReading(content.received());
        }
        return now < lingerNanos;
    }

    /// Frees the object for another stream, after the connection has forgotten it. One that application
    /// code may still use is left to it.
    void retire() {
        serving = false;
        if (ordered) {
            ordered = false;
            sender().forget(this);
        }
        if (!(begun && exchange.isRetired())) {
            connection = null;
            deadlines.leave();
            http.takeBack(this);
        }
    }

    private void checkDeadlines() {
        sender().countUnsent();
        switch (late()) {
            case NONE -> deadlines.checkExchange(exchange);
            case READER -> {
                connection().reset(number, ErrorCode.CANCEL);
                lost(Fault.TOO_SLOW);
            }
            case CONTENT -> exchange.failContent(Fault.TOO_SLOW);
        }
        resumed();
    }

    private Lateness late() {
        return deadlines.late(
                content.received(), content.taken(), response.sent(), exchange.minBytesPerSecond());
    }

    private Http2Connection connection() {
        if (connection == null) {
            throw new IllegalStateException("This stream serves no connection");
        }
        return connection;
    }
}
