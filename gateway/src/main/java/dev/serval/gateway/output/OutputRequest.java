package dev.serval.gateway.output;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.RequestVariables;
import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PeerRequest;
import dev.serval.gateway.peer.PeerTicket;
import dev.serval.gateway.peer.Refusal;
import dev.serval.gateway.relay.ContentPump;
import dev.serval.gateway.relay.Pump;
import dev.serval.gateway.spool.CollectedContent;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import dev.serval.net.Input;
import org.jspecify.annotations.Nullable;

/// One exchange on its way to an application that answers with CGI output, and back. Created for
/// each attempt; owned by the loop of the exchange.
///
/// ```text
/// COLLECTING ── all content is here ──▶ WAITING
/// WAITING ── granted ──▶ BUSY ── client takes no more ──▶ PAUSED ── writable ──▶ BUSY
///    │                    ├── end, fault, or client left ──▶ OVER
///    │                    └── lost before any byte, may repeat ──▶ another attempt
///    └── refused, or client left (also from COLLECTING) ──▶ OVER
/// ```
final class OutputRequest implements PeerRequest {
    private enum State {
        COLLECTING,
        WAITING,
        BUSY,
        PAUSED,
        OVER
    }

    /// After a restart each connection that was idle may be lost, one after the other.
    private static final int ATTEMPTS_MAX = 5;

    /// The most bytes of output in one event: the engine copies a piece of that size at once.
    private static final int PIECE_MAX_BYTES = 32 << 10;

    private final OutputMount mount;
    private final EngineExchange exchange;
    private final Description description;
    private final int attempt;
    private boolean received; // any byte of an answer
    private State state = State.COLLECTING;
    private @Nullable CollectedContent content; // null if it is streamed, and after it was sent
    private @Nullable PeerTicket ticket;
    private @Nullable Sent sent;

    /// What a request has while it is at a peer.
    private record Sent(
            Peer peer,
            OutputLoop loop,
            OutputLoop.Codecs codecs,
            OutputAnswer answer,
            @Nullable Pump pump) {}

    OutputRequest(
            OutputMount mount, EngineExchange exchange, Description description, int attempt) {
        this.mount = mount;
        this.exchange = exchange;
        this.description = description;
        this.attempt = attempt;
    }

    /// Collects the content if it is to be collected, and then looks for a peer.
    void start() {
        exchange.onAbort(this::aborted);
        if (mount.collecting().takes(exchange.request().contentLength())) {
            CollectedContent all =
                    new CollectedContent(
                            exchange, mount.spool(exchange), Long.MAX_VALUE, this::collected);
            content = all;
            all.start();
        } else {
            acquire();
        }
    }

    @Override
    public EngineExchange exchange() {
        return exchange;
    }

    @Override
    public boolean isRepeat() {
        return attempt > 1;
    }

    @Override
    public void granted(Peer peer) {
        ticket = null;
        if (state == State.OVER) {
            peer.finish(true);
            return;
        }
        state = State.BUSY;
        OutputLoop loop = mount.at(peer.connection().loop());
        @Nullable CollectedContent all = content;
        long length = all == null ? exchange.request().contentLength() : all.length();
        if (!describe(loop.variables, length)) {
            state = State.OVER;
            freeContent();
            peer.finish(true);
            exchange.refuse(
                    Status.REQUEST_HEADER_FIELDS_TOO_LARGE,
                    Fields.EMPTY,
                    "The fields of the request are too large for the application.");
            return;
        }
        OutputLoop.Codecs codecs = loop.lend();
        OutputAnswer answer =
                new OutputAnswer(exchange, codecs.output(), mount.sentFiles() != null);
        @Nullable Pump pump = length == 0 ? null : pump(peer, loop, all);
        sent = new Sent(peer, loop, codecs, answer, pump);
        moveDeadline();
        mount.wire().begin(peer.connection().out(), loop.variables);
        if (pump == null) {
            mount.wire().framing().end(peer.connection().out(), Fields.EMPTY);
        } else {
            pump.start();
        }
    }

    private Pump pump(Peer peer, OutputLoop loop, @Nullable CollectedContent all) {
        return all == null
                ? new ContentPump(
                        exchange,
                        peer.connection(),
                        mount.wire().framing(),
                        loop.pumpBuffer,
                        this::moveDeadline)
                : new SpoolPump(all, peer.connection(), mount.wire(), this::moveDeadline);
    }

    @Override
    public void refused(Refusal why) {
        ticket = null;
        if (state == State.WAITING) {
            state = State.OVER;
            freeContent();
            mount.failures().refused(exchange, why);
        }
    }

    @Override
    public void readable() {
        @Nullable Sent here = sent;
        if (here == null) {
            return;
        }
        Input in = here.peer().connection().in();
        while (state == State.BUSY) {
            if (in.length() == 0 && !fill(here, in)) {
                return;
            }
            step(here, in);
        }
    }

    @Override
    public void drained() {
        @Nullable Sent here = sent;
        @Nullable Pump pump = here == null ? null : here.pump();
        if (pump != null) {
            pump.drained();
        }
    }

    @Override
    public void lost() {
        @Nullable Sent here = sent;
        if (here != null && state != State.OVER) {
            endedEarly(here);
        } else if (here == null && state != State.OVER) { // the request could not be sent
            state = State.OVER;
            freeContent();
            mount.failures().broken(exchange, null, false, "The application could not be asked.");
        }
    }

    @Override
    public void overdue() {
        @Nullable Sent here = sent;
        if (here == null || state == State.OVER) {
            return;
        }
        @Nullable Pump pump = here.pump();
        if (state == State.PAUSED || (pump != null && pump.waitsForClient())) {
            moveDeadline(); // the engine measures the client's pace
            return;
        }
        boolean begun = here.answer().hasBegun();
        end(here);
        here.peer().fail(PeerFault.LATE);
        mount.failures().late(exchange, here.peer(), begun);
    }

    private void aborted() {
        State before = state;
        state = State.OVER;
        @Nullable PeerTicket waiting = ticket;
        @Nullable Sent here = sent;
        if (before == State.WAITING && waiting != null) {
            waiting.cancel();
        } else if (before != State.OVER && here != null) {
            end(here);
            here.peer().fail(PeerFault.ABANDONED);
        }
        freeContent();
    }

    private void collected(CollectedContent.Outcome outcome) {
        switch (outcome) {
            case WHOLE -> acquire();
            case TOO_LARGE -> {} // the engine's limit is the only one
            case NO_SPACE -> notCollected("The server has no space for the content at the moment.");
            case NOT_STORED -> notCollected("The server could not store the content.");
        }
    }

    private void notCollected(String what) {
        state = State.OVER;
        freeContent();
        mount.failures().unavailable(exchange, what, what);
    }

    private void acquire() {
        state = State.WAITING;
        ticket = mount.pool().acquire(this);
    }

    private void freeContent() {
        @Nullable CollectedContent all = content;
        content = null;
        if (all != null) {
            all.free();
        }
    }

    /// Writes the variables.
    ///
    /// @return whether they fit
    private boolean describe(VariableBuffer out, long length) {
        out.clear();
        RequestVariables.write(out, exchange.request(), exchange.connection(), length);
        description.add(out, exchange);
        mount.wire().addOwn(out);
        return !out.isTooLarge();
    }

    /// @return whether there is input
    private boolean fill(Sent here, Input in) {
        int n = in.fill();
        if (n > 0) {
            received = true;
            if (here.answer().hasHead()) {
                moveDeadline();
            }
            return true;
        }
        if (n == 0) {
            here.answer().pause();
        } else if (n == Input.END) {
            inputEnded(here);
        }
        return false;
    }

    private void inputEnded(Sent here) {
        if (here.codecs().wire().endsWithConnection() && isAsLongAsDeclared(here)) {
            ended(here);
        } else {
            endedEarly(here);
        }
    }

    /// Handles a peer that left before its answer was complete.
    private void endedEarly(Sent here) {
        boolean begun = here.answer().hasBegun();
        boolean again = mayRepeat(here);
        end(here);
        here.peer().fail(PeerFault.LOST); // without effect if the connection was lost
        if (again) {
            new OutputRequest(mount, exchange, description, attempt + 1).start();
        } else {
            mount.failures()
                    .broken(
                            exchange,
                            here.peer(),
                            begun,
                            "The application ended before its answer.");
        }
    }

    /// Returns whether the request may be sent again: its effect is the same, its content is empty,
    /// no byte of an answer has come (RFC 9110 §9.2.2), and the connection has served a request
    /// before. A process of PHP that ends after `pm.max_requests` closes its connection when the
    /// next request may be on its way already; a script that crashes should not run again.
    private boolean mayRepeat(Sent here) {
        return !received
                && attempt < ATTEMPTS_MAX
                && here.peer().hasServed()
                && here.pump() == null
                && exchange.request().method().idempotent();
    }

    /// Returns whether the output has as much content as its own Content-Length declares. Without
    /// another end than that of the connection, it shows that the application broke off.
    private boolean isAsLongAsDeclared(Sent here) {
        return here.answer().contentBytes() >= here.codecs().output().declaredLength()
                || exchange.request().method() == Method.HEAD
                || here.codecs().output().status().withoutContent();
    }

    private void step(Sent here, Input in) {
        OutputCodec codec = here.codecs().wire();
        byte[] array = in.array();
        OutputEvent event = codec.next(array, in.from(), in.to(), PIECE_MAX_BYTES);
        in.consume(codec.consumed());
        switch (event) {
            case MORE -> {}
            case ERRORS ->
                    here.codecs().errors().add(array, codec.contentFrom(), codec.contentTo());
            case OUTPUT -> {
                int taken = here.answer().take(array, codec.contentFrom(), codec.contentTo());
                if (taken == OutputAnswer.WRONG) {
                    malformed(here, here.codecs().output().error());
                } else if (taken == OutputAnswer.FULL && state == State.BUSY) {
                    state = State.PAUSED;
                    here.peer().connection().wantRead(false);
                    exchange.response().onWritable(this::writable);
                }
            }
            case END -> ended(here);
            case WRONG -> malformed(here, codec.error());
        }
    }

    private void writable() {
        @Nullable Sent here = sent;
        if (state == State.PAUSED && here != null) {
            state = State.BUSY;
            here.peer().connection().wantRead(true);
            moveDeadline();
            readable();
        }
    }

    private void ended(Sent here) {
        @Nullable Pump pump = here.pump();
        boolean stays = mount.wire().keepsConnections() && (pump == null || pump.isSent());
        OutputCodec.Outcome outcome = here.codecs().wire().outcome();
        state = State.OVER;
        if (outcome != OutputCodec.Outcome.COMPLETE) {
            boolean begun = here.answer().hasBegun();
            here.answer().drop();
            refuse(here.peer(), outcome, begun);
        } else if (!here.answer().end()) {
            @Nullable ProtocolError error = here.codecs().output().error();
            here.peer().count(PeerFault.MALFORMED);
            mount.failures().broken(exchange, here.peer(), false, text(error));
        } else {
            sendFile(here);
        }
        end(here);
        here.peer().finish(stays);
    }

    private void refuse(Peer peer, OutputCodec.Outcome outcome, boolean begun) {
        if (outcome == OutputCodec.Outcome.OVERLOADED && !begun) {
            mount.failures()
                    .unavailable(
                            exchange,
                            "The application has no room for this request at the moment; please try again.",
                            "The application server says that it is overloaded.");
        } else {
            peer.count(PeerFault.MALFORMED);
            mount.failures()
                    .broken(exchange, peer, begun, "The application server refuses this request.");
        }
    }

    private void sendFile(Sent here) {
        @Nullable SentFiles files = mount.sentFiles();
        if (files == null) {
            return;
        }
        @Nullable String accel = here.answer().file(FieldName.X_ACCEL_REDIRECT);
        @Nullable String send = here.answer().file(FieldName.X_SENDFILE);
        if (accel != null || send != null) {
            files.send(exchange, accel, send, here.answer().fieldsOfFile());
        }
    }

    private void malformed(Sent here, @Nullable ProtocolError error) {
        if (state == State.OVER) {
            return;
        }
        boolean begun = here.answer().hasBegun();
        end(here);
        here.peer().fail(PeerFault.MALFORMED);
        mount.failures().broken(exchange, here.peer(), begun, text(error));
    }

    private static String text(@Nullable ProtocolError error) {
        return error == null
                ? "The application's answer is malformed."
                : "The application's answer is malformed: " + error.what() + ".";
    }

    /// Ends the use of what the request holds. Called once.
    private void end(Sent here) {
        state = State.OVER;
        sent = null;
        @Nullable Pump pump = here.pump();
        if (pump != null) {
            pump.stop();
        }
        freeContent();
        here.answer().drop();
        if (!here.codecs().errors().isEmpty()) {
            mount.errors().add(here.codecs().errors().escaped());
        }
        here.loop().giveBack(here.codecs());
    }

    private void moveDeadline() {
        @Nullable Sent here = sent;
        if (here != null) {
            Peer peer = here.peer();
            peer.answerBy(peer.nowNanos() + mount.pool().limits().answerNanos());
        }
    }
}
