package dev.serval.conn;

import dev.serval.conn.ConnectionDeadlines.Verdict;
import dev.serval.conn.ConnectionDeadlines.Wait;
import dev.serval.exchange.ExchangePort;
import dev.serval.exchange.ServerExchange;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.RequestHeadWriter;
import dev.serval.http.Status;
import dev.serval.http1.RequestParser;
import dev.serval.loop.Command;
import dev.serval.loop.Deadline;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Input;
import dev.serval.net.Output;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import dev.serval.policy.Metrics;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One HTTP/1.1 connection: reads a head, lets its exchange run, reads the next. One exchange is in
/// progress at a time, so pipelined requests are answered in order and wait in the input. Whatever
/// calls the exchange looks afterwards whether it has finished; the exchange never calls back.
///
/// ```
///          head read               exchange finished
///   HEAD ─────────────▶ EXCHANGE ─────────────▶ HEAD
///    │                   │  │
///    │ bad head          │  └─ content left ─▶ DISCARD ─ read ─▶ HEAD
///    ▼                   ▼ last response
///   LINGER ◀─────────────┤     LINGER: our half is ended, the client's is read and dropped
///    └──▶ ENDING ◀───────┘     ENDING: nothing is read; closed once everything was sent
///            └──▶ CLOSED ◀── every state: connection lost or closed
/// ```
final class Http1Connection implements Driver, ConnectionFacts, ExchangePort {
    /// See the picture above.
    private enum Phase {
        HEAD,
        EXCHANGE,
        DISCARD,
        LINGER,
        ENDING,
        CLOSED
    }

    /// Whom the requests that are here wait for.
    private enum Waiting {
        FOR_CLIENT,
        FOR_US
    }

    private static final byte[] HEAD_METHOD = {'H', 'E', 'A', 'D', ' '};
    private static final ProtocolError CUT_SHORT =
            new ProtocolError(
                    Status.BAD_REQUEST, "the head ends before its empty line", "RFC 9112 §8");
    private static final ProtocolError TOO_LATE =
            new ProtocolError(
                    Status.REQUEST_TIMEOUT,
                    "the head was not complete in time",
                    "RFC 9110 §15.5.9");

    private final HttpLoop http;
    private final Connection connection;
    private final Input in;
    private final Output out;
    private final ConnectionDeadlines deadlines;
    private final Command lookAgain = new Command(this::resumed);
    private final Http1Content content;
    private final Http1Response response;
    private @Nullable RequestHeadWriter head;
    private @Nullable ServerExchange exchange;
    private @Nullable InetAddress client;
    private Phase phase = Phase.HEAD;
    private Waiting waiting = Waiting.FOR_CLIENT;
    private boolean admitted;
    private boolean draining;
    private long requests;
    private long lingerFrom; // bytes received when lingering began
    private int scanned; // bytes of an incomplete head that were looked at

    Http1Connection(HttpLoop http, Connection connection) {
        this.http = http;
        this.connection = connection;
        this.in = connection.in();
        this.out = connection.out();
        this.deadlines = new ConnectionDeadlines(http, connection, this::due);
        this.content = new Http1Content(http, connection, deadlines);
        this.response = new Http1Response(http, connection, this::mayPersist);
    }

    /// The connection was let in; it has to be given back.
    void admitted(@Nullable InetAddress address) {
        admitted = true;
        client = address;
        rearm();
    }

    // What net calls

    @Override
    public void readable() {
        if (!act(deadlines.pace())) {
            switch (phase) {
                case HEAD -> receive();
                case EXCHANGE -> receiveContent();
                case DISCARD -> discard();
                case LINGER -> linger();
                case ENDING, CLOSED -> {}
            }
        }
        advance();
    }

    @Override
    public void blocked() {
        deadlines.beginSending();
        rearm();
    }

    @Override
    public void drained() {
        deadlines.endSending();
        switch (phase) {
            case HEAD -> {
                if (in.length() == 0) {
                    deadlines.restart(); // idle from here on
                }
                serveAgain();
            }
            case EXCHANGE -> exchange().writable();
            case LINGER -> deadlines.restart(); // the client reads our answer from here on
            case DISCARD, ENDING, CLOSED -> {}
        }
        advance();
    }

    @Override
    public void closed(boolean byPeer) {
        enter(Phase.CLOSED);
        deadlines.cancel();
        metrics().count(Counter.CONNECTIONS_CLOSED);
        metrics().add(Counter.BYTES_IN, in.received());
        metrics().add(Counter.BYTES_OUT, out.sent());
        if (admitted) {
            http.service().service().admission().leave(client);
        }
        @Nullable ServerExchange present = exchange;
        if (present != null) {
            present.lost(byPeer ? Fault.PEER_GONE : Fault.SHUTDOWN);
        }
        giveBackHead();
    }

    @Override
    public void drain() {
        draining = true;
        if (phase == Phase.HEAD && in.length() == 0) {
            deadlines.restart(); // a request may be on its way: it is answered, with its close
            rearm();
        }
    }

    // What the exchange calls

    @Override
    public ConnectionFacts facts() {
        return this;
    }

    @Override
    public String name() {
        return "connection " + connection.id();
    }

    @Override
    public void changed() {
        connection.loop().submit(lookAgain);
    }

    @Override
    public void resumed() {
        if (phase == Phase.CLOSED) {
            giveBackHead();
            return;
        }
        if (phase == Phase.HEAD && waiting == Waiting.FOR_US) {
            serveAgain();
        }
        advance();
    }

    @Override
    public void closeTunnel(Fault why) {
        close();
        if (why != Fault.SHUTDOWN) {
            connection.abort();
        }
    }

    @Override
    public void rearm() {
        if (phase != Phase.CLOSED) {
            deadlines.rearm(awaited(), exchangeEnds());
        }
    }

    @Override
    public long id() {
        return connection.id() << 10 | connection.loop().index();
    }

    @Override
    public SocketAddress local() {
        return connection.local();
    }

    @Override
    public SocketAddress peer() {
        return connection.peer();
    }

    @Override
    public boolean secure() {
        return false;
    }

    // Requests

    private void receive() {
        boolean first = in.length() == 0;
        int n = in.fill();
        if (n > 0 && first && requests > 0) {
            deadlines.restart();
        }
        if (n > 0 || n == Input.END) { // after whole requests that wait here, the end may wait too
            serve();
        }
    }

    private void receiveContent() {
        if (!exchange().awaitsContent()) {
            content.readAhead();
        } else if (content.arrived()) {
            exchange().readable();
        }
    }

    private void inputEnded() {
        if (in.length() == 0) {
            close();
        } else {
            refuse(CUT_SHORT);
        }
    }

    /// Serves requests that are here, in order, while their answers find room.
    private void serve() {
        int left = http.limits().counts().requestsPerTurnMax();
        while (phase == Phase.HEAD && in.length() > 0 && mayServe(left--) && next()) {}
        if (phase == Phase.HEAD && in.ended() && waiting == Waiting.FOR_CLIENT) {
            inputEnded();
        }
    }

    /// If not, nothing more is read either: a flood of requests waits in the client's hands.
    private boolean mayServe(int left) {
        boolean room = out.backlog() <= http.limits().buffers().unsentMaxBytes();
        if (room && left > 0) {
            return true;
        }
        waiting = Waiting.FOR_US;
        connection.wantRead(false);
        if (room) {
            connection.loop().submit(lookAgain); // others have their turn first
        } else {
            connection.wantDrained();
        }
        return false;
    }

    private void serveAgain() {
        if (waiting == Waiting.FOR_US) {
            waiting = Waiting.FOR_CLIENT;
            deadlines.restart(); // what waited for us was not late
        }
        connection.wantRead(true);
        serve();
    }

    /// Reads one head and starts its exchange.
    ///
    /// @return whether there was a whole one
    private boolean next() {
        RequestHeadWriter next = head();
        int length;
        if (next.repeats(in.array(), in.from(), in.to())) {
            length = next.length();
        } else {
            length = http.parser().parse(in.array(), in.from(), in.to(), in.from() + scanned, next);
        }
        if (length == RequestParser.NEED_MORE) {
            scanned = in.length();
            return false;
        }
        if (length == RequestParser.ERROR) {
            @Nullable ProtocolError error = http.parser().error();
            refuse(error != null ? error : CUT_SHORT);
            return false;
        }
        in.consume(length);
        scanned = 0;
        requests++;
        metrics().count(Counter.REQUESTS);
        enter(Phase.EXCHANGE);
        response.begin(next.head());
        exchange().begin(next.head());
        endIfFinished();
        return true;
    }

    /// After every call into the exchange: goes on to the next request once it has finished.
    private void advance() {
        if (phase == Phase.EXCHANGE && endIfFinished() && phase == Phase.HEAD) {
            serve();
        }
        rearm();
    }

    /// @return whether it had
    private boolean endIfFinished() {
        boolean finished = !exchange().isTunnel() && exchange().isFinished();
        if (finished) {
            exchangeEnded();
        }
        return finished;
    }

    /// The response is complete, and so, perhaps, is the content.
    private void exchangeEnded() {
        deadlines.endReading();
        if (!response.persistent() || !(content.finished() || mayDropContent())) {
            end();
        } else if (content.finished()) {
            awaitHead();
        } else {
            enter(Phase.DISCARD);
            connection.wantRead(true);
            deadlines.beginReading();
            discardHere();
        }
    }

    /// Ends our half of the connection and reads on for a while: a client that still sends, or sends
    /// its next request because it could not know that this was the last, would otherwise lose our
    /// answer to a reset (RFC 9112 §9.6).
    private void end() {
        boolean quiet = in.length() == 0 && content.finished();
        if (quiet && (in.ended() || isLastOfClient())) {
            close();
        } else {
            startLingering();
        }
    }

    private void awaitHead() {
        enter(Phase.HEAD);
        connection.wantRead(true);
    }

    /// Whether the connection may stay open after the present response.
    private boolean mayPersist() {
        @Nullable RequestHeadWriter present = head;
        if (present == null) {
            return false;
        }
        RequestHead request = present.head();
        long most = http.limits().counts().requestsPerConnectionMax();
        return request.persistent()
                && request.method() != Method.CONNECT // what follows may be meant for the tunnel
                && !exchange().isRetired()
                && !draining
                && (most == 0 || requests < most)
                && !(in.ended() && in.length() == 0)
                && (content.finished() || mayDropContent() || exchange().readsContent());
    }

    private boolean mayDropContent() {
        return exchange().mayDropContent() && content.mayDrop();
    }

    /// Whether the client said that no request follows this one.
    private boolean isLastOfClient() {
        @Nullable RequestHeadWriter present = head;
        return present != null && !present.head().persistent();
    }

    private RequestHeadWriter head() {
        @Nullable RequestHeadWriter present = head;
        if (present == null) {
            present = http.service().exchanges().lendHead();
            head = present;
        }
        return present;
    }

    /// Gives the head back once no task reads it any more.
    private void giveBackHead() {
        @Nullable RequestHeadWriter lent = head;
        @Nullable ServerExchange present = exchange;
        if (lent != null && (present == null || present.isFinished())) {
            head = null;
            http.service().exchanges().giveBack(lent);
        }
    }

    private ServerExchange exchange() {
        @Nullable ServerExchange present = exchange;
        if (present == null) {
            present = new ServerExchange(http.service(), this, content, response);
            exchange = present;
        }
        return present;
    }

    /// The one place where the phase changes; what it waits for, it waits for from now on.
    private void enter(Phase next) {
        phase = next;
        deadlines.restart();
    }

    private Metrics.Column metrics() {
        return http.service().metrics();
    }

    // What is not a request

    private void refuse(ProtocolError error) {
        response.begin(null);
        exchange().refuseUnread(error, asksForHeadOnly());
        startLingering();
    }

    /// Whether what is no request begins like one by HEAD, whose answer has no content whatever else
    /// is wrong with it (RFC 9110 §9.3.2).
    private boolean asksForHeadOnly() {
        byte[] bytes = in.array();
        int from = in.from();
        if (in.length() > 2 && bytes[from] == '\r' && bytes[from + 1] == '\n') {
            from += 2; // an empty line may precede it (RFC 9112 §2.2)
        }
        int end = from + HEAD_METHOD.length;
        return end <= in.to() && Arrays.equals(bytes, from, end, HEAD_METHOD, 0, end - from);
    }

    private void discard() {
        int n = in.fill();
        if (n > 0) {
            discardHere();
            if (phase == Phase.HEAD) {
                serve();
            }
        } else if (n == Input.END) {
            close();
        }
    }

    private void discardHere() {
        if (!content.drop()) {
            @Nullable ProtocolError error = content.error();
            if (error != null) {
                metrics().count(Counter.PROTOCOL_ERRORS);
            }
            startLingering();
        } else if (content.finished()) {
            deadlines.endReading();
            awaitHead();
        }
    }

    private void startLingering() {
        enter(Phase.LINGER);
        lingerFrom = in.received();
        in.consume(in.length());
        connection.endOutput();
        connection.wantRead(true);
        if (in.ended()) {
            close();
        }
    }

    private void linger() {
        int n = in.fill();
        in.consume(in.length());
        long dropped = in.received() - lingerFrom;
        Limits.Contents bounds = http.limits().content();
        if (n == Input.END || dropped > bounds.lingerMaxBytes() + bounds.maxBytes()) {
            close();
        }
    }

    /// Closes once everything was sent; only the client's pace counts until then.
    private void close() {
        enter(Phase.ENDING);
        connection.close();
    }

    // Time

    private void due() {
        act(deadlines.due(awaited(), exchangeEnds()));
        advance();
    }

    private long exchangeEnds() {
        return phase == Phase.EXCHANGE ? exchange().overdueNanos() : Deadline.NEVER;
    }

    private Wait awaited() {
        return switch (phase) {
            case HEAD -> awaitedAsHead();
            case EXCHANGE -> Wait.EXCHANGE;
            case LINGER -> Wait.LINGER;
            case DISCARD, ENDING, CLOSED -> Wait.NOTHING;
        };
    }

    private Wait awaitedAsHead() {
        if (waiting == Waiting.FOR_US) {
            return Wait.NOTHING;
        }
        if (in.length() > 0) {
            return Wait.HEAD;
        }
        if (requests > 0 && deadlines.isSending()) {
            return Wait.NOTHING;
        }
        if (draining) {
            return Wait.LAST_REQUEST;
        }
        return requests > 0 ? Wait.REQUEST : Wait.HEAD;
    }

    /// @return whether the client was late
    private boolean act(Verdict verdict) {
        switch (verdict) {
            case IN_TIME -> {}
            case READER_TOO_SLOW -> {
                metrics().count(Counter.SLOW_READERS);
                exchange().blame(Fault.TOO_SLOW);
                connection.abort();
            }
            case CONTENT_TOO_SLOW -> contentTooSlow();
            case OVER -> over(awaited());
        }
        return verdict != Verdict.IN_TIME;
    }

    private void contentTooSlow() {
        metrics().count(Counter.SLOW_CONTENT);
        deadlines.endReading();
        if (phase == Phase.EXCHANGE) {
            exchange().failContent(Fault.TOO_SLOW);
        } else {
            close();
        }
    }

    private void over(Wait wait) {
        switch (wait) {
            case HEAD -> {
                metrics().count(Counter.HEAD_TIMEOUTS);
                if (in.length() == 0) {
                    close();
                } else {
                    refuse(TOO_LATE);
                }
            }
            case REQUEST -> {
                metrics().count(Counter.IDLE_TIMEOUTS);
                close();
            }
            case EXCHANGE -> exchange().overdue();
            case LAST_REQUEST, LINGER -> close();
            case NOTHING -> {}
        }
    }
}
