package dev.serval.conn;

import dev.serval.conn.ConnectionDeadlines.Wait;
import dev.serval.conn.StreamDeadlines.Lateness;
import dev.serval.exchange.ExchangePort;
import dev.serval.exchange.ServerExchange;
import dev.serval.handler.ConnectionFacts;
import dev.serval.handler.Fault;
import dev.serval.handler.TunnelRequest;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http2.Preface;
import dev.serval.net.Connection;
import dev.serval.net.Driver;
import dev.serval.net.Input;
import dev.serval.net.Output;
import dev.serval.policy.Counter;
import dev.serval.policy.Metrics;
import org.jspecify.annotations.Nullable;

/// Drives one HTTP/1.1 connection: it reads a head, runs the exchange, then reads the next head.
/// One exchange is in progress at a time, so pipelined requests wait in the input and are answered
/// in order. After each call into the exchange, the connection checks whether the exchange has
/// finished. The exchange never makes the connection continue from within that call.
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
final class Http1Connection implements Driver, ExchangePort {
    /// The states of the diagram above.
    private enum Phase {
        HEAD,
        EXCHANGE,
        DISCARD,
        LINGER,
        ENDING,
        CLOSED
    }

    private final AcceptedConnection accepted;
    private final Connection connection;
    private final Input in;
    private final Output out;
    private final ConnectionDeadlines deadlines;
    private final StreamDeadlines requestDeadlines;
    private final Lingering lingering;
    private final Http1Pipeline pipeline;
    private final Http1Content content;
    private final Http1Response response;
    private final Http1Head head;
    private final Http1Figures figures;
    private final Entrance.@Nullable Drivers http2; // null if its preface is no beginning
    private @Nullable ServerExchange exchange;
    private Phase phase = Phase.HEAD;

    Http1Connection(HttpLoop http, AcceptedConnection accepted) {
        this.accepted = accepted;
        this.connection = accepted.net();
        this.in = connection.in();
        this.out = connection.out();
        this.deadlines = new ConnectionDeadlines(accepted, this::due);
        this.requestDeadlines = new StreamDeadlines(accepted.service());
        this.lingering = new Lingering(accepted, deadlines);
        this.pipeline = new Http1Pipeline(accepted, this::resumed);
        this.head = new Http1Head(http, in);
        this.figures = new Http1Figures(accepted);
        this.http2 = http.http2();
        this.content = new Http1Content(accepted, requestDeadlines);
        this.response = new Http1Response(http, accepted, this::mayPersist);
    }

    // Calls from net

    @Override
    public void readable() {
        // Content that has come counts, even if this process was stopped. A timer checks the pace.
        boolean inContent = phase == Phase.EXCHANGE || phase == Phase.DISCARD;
        if (inContent || !isTooSlow()) {
            switch (phase) {
                case HEAD -> receive();
                case EXCHANGE -> receiveContent();
                case DISCARD -> discard();
                case LINGER -> {
                    if (lingering.isOver()) {
                        close();
                    }
                }
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
                    deadlines.restart(); // it is idle from now on
                }
                serveAgain();
            }
            case EXCHANGE -> exchange().writable();
            case LINGER -> deadlines.restart(); // the client can read our answer from now on
            case DISCARD, ENDING, CLOSED -> {}
        }
        advance();
    }

    @Override
    public void closed(boolean byPeer) {
        enter(Phase.CLOSED);
        deadlines.cancel();
        accepted.closed();
        content.close();
        if (exchange != null) {
            exchange.lost(byPeer ? Fault.PEER_GONE : Fault.SHUTDOWN);
        }
        resumed(); // and again after a task that still reads the head
    }

    @Override
    public void drain() {
        accepted.drain();
        if (phase == Phase.HEAD && UnreadHead.isOnlyLineEnds(in)) {
            deadlines.restartForLastRequest(); // one on its way is still answered
            rearm();
        }
    }

    @Override
    public void loadChanged() {
        if (phase == Phase.HEAD && awaited() == Wait.REQUEST) {
            deadlines.rearmIdle();
        }
    }

    @Override
    public long held() {
        return head.heldBytes()
                + content.heldBytes()
                + (exchange == null ? 0 : exchange.compressorBytes());
    }

    /// Gives back the head and the exchange. Between two requests they only save work.
    @Override
    public void trim() {
        if (phase == Phase.HEAD && in.length() == 0) {
            head.leave(exchange);
            if (out.isEmpty()) { // otherwise its mount says how slowly the client may read
                exchange = null;
            }
        }
    }

    @Override
    public boolean preempt() {
        metrics().count(Counter.CONNECTIONS_PREEMPTED);
        // Before it has begun there is nothing to answer. A TLS handshake could not even send it.
        boolean begun = !UnreadHead.isOnlyLineEnds(in) && out.isEmpty();
        if (phase == Phase.HEAD && begun && !pipeline.isPaused()) {
            refuse(UnreadHead.NO_MEMORY);
            rearm();
            return true;
        }
        if (phase == Phase.EXCHANGE) {
            exchange().blame(Fault.OVERLOAD);
        }
        return false;
    }

    // Calls from the exchange

    @Override
    public ConnectionFacts facts() {
        return accepted;
    }

    @Override
    public TunnelRequest tunnel(RequestHead request) {
        return Http1Head.tunnel(request);
    }

    @Override
    public String name() {
        return "connection " + connection.id();
    }

    @Override
    public void changed() {
        pipeline.lookAgain();
    }

    @Override
    public void resumed() {
        if (phase == Phase.CLOSED) {
            head.leave(exchange);
            connection.outlast(held());
            return;
        }
        if (phase == Phase.HEAD && pipeline.isPaused()) {
            serveAgain();
        }
        advance();
    }

    @Override
    public Figures figures() {
        return figures;
    }

    @Override
    public boolean persists() {
        return response.persistent();
    }

    @Override
    public void endsWithClient() {
        response.endWithClient();
    }

    @Override
    public void closeTunnel(Fault why) {
        if (why == Fault.SHUTDOWN) {
            startLingering(); // bytes that still come must not take our last ones
        } else {
            close();
            connection.abort();
        }
    }

    @Override
    public void rearm() {
        if (phase != Phase.CLOSED) {
            deadlines.rearm(awaited(), requestNanos());
        }
    }

    // Requests

    private void receive() {
        receive(UnreadHead.isOnlyLineEnds(in), in.fillBriefly()); // they begin no head
    }

    private void receive(boolean first, int n) {
        if (n > 0 && first && figures.requests() > 0) {
            deadlines.restartForRequest();
        }
        if (n == Input.LOST || (figures.requests() == 0 && beginsAsHttp2())) {
            return;
        }
        serve(); // even at the end, or if another driver has read the first bytes
    }

    /// Serves a request that has come just before the time to wait for it was over.
    ///
    /// @return whether one has
    private boolean servesLate() {
        int n = phase == Phase.HEAD && in.length() == 0 ? in.probe() : 0;
        if (n > 0) {
            receive(true, n);
        }
        return n > 0;
    }

    /// Hands the connection over if it is one of HTTP/2.
    ///
    /// @return whether it is, or may be after more bytes
    private boolean beginsAsHttp2() {
        int same = http2 == null ? 0 : Http.preface(connection);
        if (same == Preface.LENGTH && http2 != null) {
            enter(Phase.CLOSED);
            deadlines.cancel();
            head.leave(exchange);
            Driver next = http2.open(accepted);
            connection.driver(next);
            next.readable();
            return true;
        }
        return same > 0 && same == in.length() && !in.ended();
    }

    private void receiveContent() {
        if (!exchange().awaitsContent()) {
            content.readAhead();
        } else if (content.arrived()) {
            exchange().readable();
        }
    }

    private void inputEnded() {
        if (in.length() == 0 || UnreadHead.isOnlyLineEnds(in)) {
            close();
        } else {
            refuse(UnreadHead.CUT_SHORT);
        }
    }

    /// Serves the requests in the input, in order, while there is room for their answers.
    private void serve() {
        long before = out.written();
        int left = pipeline.requestsMax();
        while (phase == Phase.HEAD && in.length() > 0 && pipeline.mayServe(left--) && next()) {}
        connection.net().answered(out.written() - before);
        if (phase == Phase.HEAD && in.ended() && !pipeline.isPaused()) {
            inputEnded();
        }
    }

    private void serveAgain() {
        if (pipeline.resume()) {
            deadlines.restart(); // the time it waited for us does not count
        }
        serve();
    }

    /// Reads one head and starts its exchange. Returns whether the head was complete.
    private boolean next() {
        figures.headBegins();
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
        metrics().count(Counter.REQUESTS);
        enter(Phase.EXCHANGE);
        figures.requestBegins();
        response.begin(request);
        exchange().begin(request);
        endIfFinished();
    }

    /// Serves the next request if the exchange has finished. Must run after every call into it.
    private void advance() {
        boolean gone = in.ended() && in.length() == 0;
        if (gone && phase == Phase.EXCHANGE && response.endsWithClient()) {
            close(); // no reset, because the system may still hold bytes of earlier answers
            exchange().lost(Fault.PEER_GONE);
        }
        if (phase == Phase.EXCHANGE && endIfFinished() && phase == Phase.HEAD) {
            serve();
        }
        rearm();
    }

    /// @return whether it has finished
    private boolean endIfFinished() {
        boolean finished = !exchange().isTunnel() && exchange().isFinished();
        if (finished) {
            exchangeEnded();
        }
        return finished;
    }

    /// Ends the exchange after its response. Content may still be unread.
    private void exchangeEnded() {
        content.endReading();
        boolean late = exchange().isRetired(); // after the head said that the connection stays
        if (late || !response.persistent() || !(content.finished() || mayDropContent())) {
            end();
        } else if (content.finished()) {
            awaitHead();
        } else {
            enter(Phase.DISCARD);
            connection.wantRead(true);
            content.beginReading();
            discardHere();
        }
    }

    /// Ends the connection after its last response.
    private void end() {
        boolean quiet = in.length() == 0 && content.finished();
        if (quiet && (in.ended() || head.isLastOfClient())) {
            close();
        } else {
            startLingering();
        }
    }

    private void awaitHead() {
        content.release();
        enter(Phase.HEAD);
        connection.wantRead(true);
    }

    /// Returns whether the connection may stay open after the current response.
    private boolean mayPersist() {
        long most = accepted.limits().counts().requestsPerConnectionMax();
        return head.persists()
                && !exchange().isRetired()
                && !accepted.isDraining()
                && accepted.service().mayPersist(exchange().notes().isRefused())
                && (most == 0 || figures.requests() < most)
                && !(in.ended() && in.length() == 0)
                && (content.finished() || mayDropContent() || exchange().readsContent());
    }

    private boolean mayDropContent() {
        return exchange().mayDropContent() && content.mayDrop();
    }

    private ServerExchange exchange() {
        if (exchange == null) {
            exchange = new ServerExchange(accepted.service(), this, content, response);
        }
        return exchange;
    }

    /// Changes the phase and begins its wait. No other method changes the phase.
    private void enter(Phase next) {
        phase = next;
        deadlines.restart();
    }

    private Metrics.Column metrics() {
        return accepted.metrics();
    }

    // Errors and the end

    private void refuse(ProtocolError error) {
        figures.refusalBegins();
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
                metrics().refuse(error);
            }
            startLingering();
        } else if (content.finished()) {
            content.endReading();
            awaitHead();
        } else if (in.ended()) {
            close(); // the rest never comes
        }
    }

    private void startLingering() {
        enter(Phase.LINGER);
        if (lingering.begin()) {
            close();
        }
    }

    /// Closes after everything was sent. Until then only the client's pace is checked.
    private void close() {
        enter(Phase.ENDING);
        connection.close();
    }

    // Timeouts

    private void due() {
        if (!isTooSlow()) {
            if (phase == Phase.EXCHANGE) {
                requestDeadlines.checkExchange(exchange());
            } else if (deadlines.isOver(awaited())) {
                if (!servesLate()) {
                    over(awaited());
                }
            } else if (deadlines.rests(awaited())) {
                trim();
            }
        }
        advance();
    }

    /// Returns the next check of the request's deadlines, or when an idle connection rests.
    private long requestNanos() {
        return switch (phase) {
            case EXCHANGE -> requestDeadlines.nextNanos(exchange());
            case HEAD -> deadlines.restNanos(awaited(), exchange != null && in.length() == 0);
            default -> requestDeadlines.nextPaceNanos(); // of content that is dropped
        };
    }

    private Wait awaited() {
        return switch (phase) {
            case HEAD -> awaitedAsHead();
            case LINGER -> Wait.LINGER;
            case EXCHANGE, DISCARD, ENDING, CLOSED -> Wait.NOTHING;
        };
    }

    private Wait awaitedAsHead() {
        if (pipeline.isPaused()) {
            return Wait.NOTHING;
        }
        if (!UnreadHead.isOnlyLineEnds(in)) { // some clients send a line end after content
            return Wait.HEAD;
        }
        if (figures.requests() > 0 && deadlines.isSending()) {
            return Wait.NOTHING;
        }
        if (accepted.isDraining()) {
            return Wait.LAST_REQUEST;
        }
        return figures.requests() > 0 ? Wait.REQUEST : Wait.HEAD;
    }

    /// Ends what the client is too slow for.
    ///
    /// @return whether there was such a thing
    private boolean isTooSlow() {
        long rate =
                exchange == null
                        ? accepted.limits().pace().minBytesPerSecond()
                        : exchange.minBytesPerSecond();
        long uploaded = figures.isBehind() ? 0 : content.taken(); // an earlier response waits
        Lateness late = deadlines.late(uploaded, rate);
        if (late == Lateness.NONE) {
            late = requestDeadlines.late(in.received(), uploaded, out.sent(), rate);
        }
        switch (late) {
            case NONE -> {}
            case READER -> {
                exchange().blame(Fault.TOO_SLOW);
                connection.abort();
            }
            case CONTENT -> {
                if (phase == Phase.EXCHANGE) {
                    exchange().failContent(Fault.TOO_SLOW);
                } else {
                    close();
                }
            }
        }
        return late != Lateness.NONE;
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
                accepted.leaveEarly(); // so that the next one sees whether there are still too many
                close();
            }
            case LAST_REQUEST -> close();
            case LINGER -> {
                if (!lingering.goesOn()) {
                    close();
                }
            }
            case FRAME, ANSWER, NOTHING -> {} // the first two are for HTTP/2
        }
    }
}
