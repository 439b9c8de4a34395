package dev.serval.conn;

import dev.serval.conn.ConnectionDeadlines.Verdict;
import dev.serval.conn.ConnectionDeadlines.Wait;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import dev.serval.http1.RequestParser;
import dev.serval.loop.Command;
import dev.serval.loop.Deadline;
import dev.serval.loop.EventLoop;
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
/// progress at a time, so pipelined requests are answered in order and wait in the input.
///
/// ```
///          head read              response and content ended
///   HEAD ─────────────▶ EXCHANGE ─────────────▶ HEAD
///    │                   │  │  └─ content left ─▶ DISCARD ─ read ─▶ HEAD
///    │ bad head          │  └─ upgrade ─▶ TUNNEL
///    ▼                   ▼ last response
///   LINGER ◀─────────────┤     LINGER: our half is ended, the client's is read and dropped
///    └──▶ ENDING ◀───────┘     ENDING: nothing is read; closed once everything was sent
///            └──▶ CLOSED ◀── every state: connection lost or closed
/// ```
final class Http1Connection implements Driver, ConnectionFacts {
    /// See the picture above.
    private enum Phase {
        HEAD,
        EXCHANGE,
        DISCARD,
        TUNNEL,
        LINGER,
        ENDING,
        CLOSED
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
    private final Command goOn = new Command(this::goOn);
    private @Nullable RequestHead head;
    private @Nullable Http1Exchange exchange;
    private @Nullable InetAddress client;
    private Phase phase = Phase.HEAD;
    private boolean admitted;
    private boolean serving;
    private boolean draining;
    private boolean paused; // requests that are here wait for us, not for the client
    private long requests;
    private long lingerFrom; // bytes received when lingering began
    private int scanned; // bytes of an incomplete head that were looked at

    Http1Connection(HttpLoop http, Connection connection) {
        this.http = http;
        this.connection = connection;
        this.in = connection.in();
        this.out = connection.out();
        this.deadlines = new ConnectionDeadlines(connection, limits().pace(), this::due);
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
                case EXCHANGE -> exchange().source().readable();
                case DISCARD -> discard();
                case TUNNEL -> exchange().tunnel().readable();
                case LINGER -> linger();
                case ENDING, CLOSED -> {}
            }
        }
        rearm();
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
            case EXCHANGE -> exchange().sink().writable();
            case TUNNEL -> exchange().tunnel().writable();
            case LINGER -> deadlines.restart(); // the client reads our answer from here on
            case DISCARD, ENDING, CLOSED -> {}
        }
        rearm();
    }

    @Override
    public void closed(boolean byPeer) {
        Phase last = phase;
        enter(Phase.CLOSED);
        deadlines.cancel();
        metrics().count(Counter.CONNECTIONS_CLOSED);
        metrics().add(Counter.BYTES_IN, in.received());
        metrics().add(Counter.BYTES_OUT, out.sent());
        if (admitted) {
            http.admission().leave(client);
        }
        @Nullable Http1Exchange present = exchange;
        if (present != null && (last == Phase.EXCHANGE || last == Phase.TUNNEL)) {
            present.aborted(byPeer ? Fault.PEER_GONE : Fault.SHUTDOWN);
        }
        if (present == null || !present.atWork()) {
            giveBackHead();
        }
    }

    /// Nobody reads the head any more.
    void giveBackHead() {
        @Nullable RequestHead lent = head;
        if (lent != null) {
            http.giveBack(lent);
            head = null;
        }
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

    HttpLoop http() {
        return http;
    }

    Connection net() {
        return connection;
    }

    EventLoop loop() {
        return connection.loop();
    }

    Metrics.Column metrics() {
        return http.metrics();
    }

    Limits limits() {
        return http.settings().limits();
    }

    long now() {
        return connection.loop().nowNanos();
    }

    /// How long it waits.
    ConnectionDeadlines deadlines() {
        return deadlines;
    }

    /// Whether the connection may go on after the present response, as far as the server goes.
    boolean mayPersist() {
        long most = limits().counts().requestsPerConnectionMax();
        return !draining && (most == 0 || requests < most) && !(in.ended() && in.length() == 0);
    }

    /// The response is complete and so, perhaps, is the content: on to the next request.
    ///
    /// @param persistent whether the response left the connection open
    void exchangeEnded(boolean persistent) {
        deadlines.endReading();
        if (!persistent) {
            end();
        } else if (exchange().source().finished()) {
            awaitHead();
        } else {
            enter(Phase.DISCARD);
            connection.wantRead(true);
            deadlines.beginReading();
            discardHere();
        }
        if (!serving) {
            rearm(); // ended by a callback that is not ours
        }
    }

    /// The exchange became a tunnel.
    void tunnelled() {
        enter(Phase.TUNNEL);
        connection.wantRead(true);
    }

    /// Ends our half of the connection and reads on for a while: a client that still sends, or sends
    /// its next request because it could not know that this was the last, would otherwise lose our
    /// answer to a reset (RFC 9112 §9.6).
    private void end() {
        boolean quiet = in.length() == 0 && exchange().source().finished();
        if (phase == Phase.CLOSED) {
            return;
        }
        if (quiet && (in.ended() || exchange().isLastOfClient())) {
            close();
            return;
        }
        startLingering();
    }

    /// The one place where the phase changes; what it waits for, it waits for from now on.
    private void enter(Phase next) {
        phase = next;
        deadlines.restart();
    }

    /// After anything that did not come from net: carry on.
    void resumed() {
        rearm();
    }

    @Override
    public long id() {
        return connection.id() << 10 | http.net().loop().index();
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
        if (n > 0 || n == Input.END) { // behind whole requests that wait here, the end may wait too
            serve();
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
        if (serving) {
            return; // an exchange ended within this loop, which goes on by itself
        }
        serving = true;
        try {
            int left = limits().counts().requestsPerTurnMax();
            while (phase == Phase.HEAD && in.length() > 0 && mayGoOn(left--) && next()) {}
        } finally {
            serving = false;
        }
        if (phase == Phase.HEAD && in.ended() && !paused) {
            inputEnded();
        }
    }

    /// Where not, nothing more is read either: a flood of requests waits in the client's hands.
    private boolean mayGoOn(int left) {
        boolean room = out.backlog() <= limits().buffers().unsentMaxBytes();
        if (room && left > 0) {
            return true;
        }
        paused = true;
        connection.wantRead(false);
        if (room) {
            connection.loop().submit(goOn); // others have their turn first
        } else {
            connection.wantDrained();
        }
        return false;
    }

    private void goOn() {
        if (phase == Phase.HEAD) {
            serveAgain();
            connection.markDirty();
            rearm();
        }
    }

    private void serveAgain() {
        if (paused) {
            paused = false;
            deadlines.restart(); // what waited for us was not late
        }
        connection.wantRead(true);
        serve();
    }

    /// Reads one head and starts its exchange.
    ///
    /// @return whether there was a whole one
    private boolean next() {
        RequestHead next = head();
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
        exchange().begin(next);
        return true;
    }

    private RequestHead head() {
        RequestHead present = head;
        if (present == null) {
            present = http.lendHead();
            head = present;
        }
        return present;
    }

    private Http1Exchange exchange() {
        Http1Exchange present = exchange;
        if (present == null) {
            present = new Http1Exchange(this);
            exchange = present;
        }
        return present;
    }

    private void awaitHead() {
        enter(Phase.HEAD);
        connection.wantRead(true);
        if (!serving && (in.length() > 0 || in.ended())) {
            // Not from here: the handler that ended the last exchange has not returned yet.
            connection.loop().submit(goOn);
        }
    }

    // What is not a request

    private void refuse(ProtocolError error) {
        metrics().count(Counter.PROTOCOL_ERRORS);
        exchange().refuseUnread(error, asksForHeadAlone());
        startLingering();
    }

    /// Whether what is no request begins like one by HEAD, whose answer has no content whatever else
    /// is wrong with it (RFC 9110 §9.3.2).
    private boolean asksForHeadAlone() {
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
        } else if (n == Input.END) {
            close();
        }
    }

    private void discardHere() {
        Http1Source source = exchange().source();
        if (!source.drop()) {
            startLingering();
        } else if (source.finished()) {
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
        Limits.Contents content = limits().content();
        if (n == Input.END || dropped > content.lingerMaxBytes() + content.maxBytes()) {
            close();
        }
    }

    /// Closes once everything was sent; only the client's pace counts until then.
    private void close() {
        enter(Phase.ENDING);
        connection.close();
    }

    // Time

    private void rearm() {
        if (phase != Phase.CLOSED) {
            deadlines.rearm(awaited(), exchangeEnds());
        }
    }

    private void due() {
        act(deadlines.due(awaited(), exchangeEnds()));
        rearm();
    }

    private long exchangeEnds() {
        return phase == Phase.EXCHANGE ? exchange().overdueNanos() : Deadline.NEVER;
    }

    private Wait awaited() {
        return switch (phase) {
            case HEAD -> awaitedAsHead();
            case EXCHANGE -> Wait.EXCHANGE;
            case LINGER -> Wait.LINGER;
            case DISCARD, TUNNEL, ENDING, CLOSED -> Wait.NOTHING;
        };
    }

    private Wait awaitedAsHead() {
        if (paused) {
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
            exchange().source().fail(Fault.TOO_SLOW);
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
