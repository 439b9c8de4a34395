package dev.serval.conn;

import dev.serval.conn.ConnectionDeadlines.Verdict;
import dev.serval.conn.ConnectionDeadlines.Wait;
import dev.serval.exchange.ExchangePort;
import dev.serval.exchange.ServerExchange;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
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

    /// What the server granted the connection; it only moves downwards.
    private enum Standing {
        /// Admission has not counted it.
        NEW,
        /// Admission has counted it, and is told when it closes.
        ADMITTED,
        /// As before; the present request is its last.
        DRAINING
    }

    /// Which side the requests in the input wait for.
    private enum Waiting {
        FOR_CLIENT,
        FOR_US
    }

    private final HttpLoop http;
    private final Connection connection;
    private final Input in;
    private final Output out;
    private final ConnectionDeadlines deadlines;
    private final Command lookAgain = new Command(this::resumed);
    private final Http1Content content;
    private final Http1Response response;
    private final Http1Head head;
    private @Nullable ServerExchange exchange;
    private @Nullable InetAddress client;
    private Phase phase = Phase.HEAD;
    private Waiting waiting = Waiting.FOR_CLIENT;
    private Standing standing = Standing.NEW;
    private long requests;
    private long lingerFrom; // bytes received when lingering began

    Http1Connection(HttpLoop http, Connection connection) {
        this.http = http;
        this.connection = connection;
        this.in = connection.in();
        this.out = connection.out();
        this.deadlines = new ConnectionDeadlines(http, connection, this::due);
        this.head = new Http1Head(http, in);
        this.content = new Http1Content(http, connection, deadlines);
        this.response = new Http1Response(http, connection, this::mayPersist);
    }

    /// Notes that admission has counted the connection.
    void admitted(@Nullable InetAddress address) {
        standing = Standing.ADMITTED;
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
        if (standing != Standing.NEW) {
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
        if (standing == Standing.ADMITTED) {
            standing = Standing.DRAINING;
        }
        if (phase == Phase.HEAD && in.length() == 0) {
            deadlines.restart(); // a request may be on its way: it is answered, with its close
            rearm();
        }
    }

    @Override
    public long held() {
        return head.heldBytes();
    }

    /// Between two requests the head of the last one only saves parsing the next.
    @Override
    public void trim() {
        if (phase == Phase.HEAD && in.length() == 0) {
            giveBackHead();
        }
    }

    @Override
    public boolean preempt() {
        metrics().count(Counter.CONNECTIONS_PREEMPTED);
        if (phase == Phase.HEAD && waiting == Waiting.FOR_CLIENT && out.isEmpty()) {
            refuse(UnreadHead.NO_MEMORY);
            rearm();
            return true;
        }
        if (phase == Phase.EXCHANGE) {
            exchange().blame(Fault.OVERLOAD);
        }
        return false;
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
            refuse(UnreadHead.CUT_SHORT);
        }
    }

    /// Serves requests that are here, in order, while their answers find room.
    private void serve() {
        long before = out.written();
        int most = http.limits().counts().requestsPerTurnMax();
        int left = connection.net().isTurnFull() ? 1 : most;
        while (phase == Phase.HEAD && in.length() > 0 && mayServe(left--) && next()) {}
        connection.net().answered(out.written() - before);
        if (phase == Phase.HEAD && in.ended() && waiting == Waiting.FOR_CLIENT) {
            inputEnded();
        }
    }

    /// If not, nothing more is read either: a flood of requests waits in the client's hands.
    private boolean mayServe(int left) {
        int most =
                connection.net().isShortOfMemory() ? 0 : http.limits().buffers().unsentMaxBytes();
        boolean room = out.backlog() <= most;
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
    /// @return whether the head was whole
    private boolean next() {
        return switch (head.read()) {
            case COMPLETE -> {
                begin(head.head());
                yield true;
            }
            case INCOMPLETE -> false;
            case WRONG -> {
                refuse(head.error());
                yield false;
            }
        };
    }

    private void begin(RequestHead request) {
        requests++;
        metrics().count(Counter.REQUESTS);
        enter(Phase.EXCHANGE);
        response.begin(request);
        exchange().begin(request);
        endIfFinished();
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
        if (quiet && (in.ended() || head.isLastOfClient())) {
            close();
        } else {
            startLingering();
        }
    }

    private void awaitHead() {
        enter(Phase.HEAD);
        connection.wantRead(true);
    }

    /// Returns whether the connection may stay open after the present response.
    private boolean mayPersist() {
        long most = http.limits().counts().requestsPerConnectionMax();
        return head.persists()
                && !exchange().isRetired()
                && standing != Standing.DRAINING
                && (most == 0 || requests < most)
                && !(in.ended() && in.length() == 0)
                && (content.finished() || mayDropContent() || exchange().readsContent());
    }

    private boolean mayDropContent() {
        return exchange().mayDropContent() && content.mayDrop();
    }

    /// Gives the head back if no task reads it any more.
    private void giveBackHead() {
        @Nullable ServerExchange present = exchange;
        if (present == null || present.isFinished()) {
            head.giveBack();
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
        exchange().refuseUnread(error, UnreadHead.asksForHeadOnly(in));
        startLingering();
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
        if (standing == Standing.DRAINING) {
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
                    refuse(UnreadHead.TOO_LATE);
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
