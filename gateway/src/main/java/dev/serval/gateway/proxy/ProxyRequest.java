package dev.serval.gateway.proxy;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.peer.PeerRequest;
import dev.serval.gateway.peer.PeerTicket;
import dev.serval.gateway.peer.Refusal;
import dev.serval.gateway.relay.ContentFraming;
import dev.serval.gateway.relay.ContentPump;
import dev.serval.handler.Body;
import dev.serval.handler.Duplex;
import dev.serval.handler.Fault;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http1.BodyDecoder;
import dev.serval.http1.Framing;
import dev.serval.http1.ReceivedHead;
import dev.serval.http1.ResponseParser;
import dev.serval.net.Input;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One exchange on its way to an HTTP upstream and back. Created for each attempt; owned by the
/// loop of the exchange.
///
/// ```text
/// WAITING ── granted ──▶ HEAD ── final head ──▶ CONTENT ◀── writable ── PAUSED
///    │                    │ └─── 101 ──▶ TUNNEL      │ └─ client takes no more ─▶
///    │                    └── lost before any byte, may repeat ──▶ another attempt
///    └── refused ──▶ OVER ◀── complete, fault, client left
/// ```
final class ProxyRequest implements PeerRequest, ProxyTunnel.Owner {
    private enum State {
        WAITING,
        HEAD,
        CONTENT,
        PAUSED,
        TUNNEL,
        OVER
    }

    private static final int ATTEMPTS_MAX = 3;
    private static final ProtocolError TOO_MANY_INTERIMS =
            new ProtocolError(
                    Status.BAD_GATEWAY, "it has too many interim responses", "RFC 9110 §15.2");
    private static final int PIECE_MAX_BYTES = 32 << 10; // the engine copies such a piece at once
    private static final long CONTINUE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ProxyHandler handler;
    private final EngineExchange exchange;
    private final int attempt;
    private final long lostAt; // upstreams, as bits
    private State state = State.WAITING;
    private @Nullable PeerTicket ticket;
    private @Nullable Sent sent;
    private @Nullable ProxyTunnel tunnel;
    private boolean awaitsContinue;
    private boolean received; // any byte of an answer
    private int interims;
    private long sentNanos; // when the head was sent
    private int seen; // bytes of an incomplete head that were parsed already
    private long left; // of content with a length

    /// What a request has while it is at a peer.
    private record Sent(
            Peer peer,
            ProxyLoop loop,
            ProxyLoop.Codecs codecs,
            @Nullable ContentPump pump,
            boolean upgrades) {}

    ProxyRequest(ProxyHandler handler, EngineExchange exchange) {
        this(handler, exchange, 1, 0);
    }

    private ProxyRequest(ProxyHandler handler, EngineExchange exchange, int attempt, long lostAt) {
        this.handler = handler;
        this.exchange = exchange;
        this.attempt = attempt;
        this.lostAt = lostAt;
    }

    /// Looks for a peer.
    void start() {
        exchange.onAbort(this::aborted);
        ticket = handler.pool().acquire(this);
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
    public long lostAt() {
        return lostAt;
    }

    @Override
    public void granted(Peer peer) {
        ticket = null;
        if (state == State.OVER) {
            peer.finish(true);
            return;
        }
        state = State.HEAD;
        RequestHead head = exchange.request();
        ProxyLoop loop = handler.at(peer.connection().loop());
        Framing framing = Forwarding.framing(head);
        boolean upgrades = head.contentLength() == 0 && Forwarding.asksForUpgrade(head);
        loop.forwardHead.write(peer.connection().out(), exchange, framing, upgrades);
        @Nullable ContentPump pump = null;
        if (head.contentLength() != 0) {
            ContentFraming form = framing == Framing.CHUNKED ? loop.chunked : ContentFraming.PLAIN;
            pump =
                    new ContentPump(
                            exchange, peer.connection(), form, loop.pumpBuffer, this::moveDeadline);
        }
        sent = new Sent(peer, loop, loop.lend(), pump, upgrades);
        sentNanos = peer.nowNanos();
        moveDeadline();
        if (pump != null && head.expectsContinue()) {
            awaitsContinue = true;
            peer.answerBy(peer.nowNanos() + CONTINUE_NANOS);
        } else if (pump != null) {
            pump.start();
        }
    }

    @Override
    public void refused(Refusal why) {
        ticket = null;
        if (state == State.WAITING) {
            state = State.OVER;
            handler.failures().refused(exchange, why);
        }
    }

    @Override
    public void readable() {
        @Nullable Sent here = sent;
        if (here == null) {
            return;
        }
        Input in = here.peer().connection().in();
        boolean more = true;
        while (more) {
            more =
                    switch (state) {
                        case HEAD -> readHead(here, in);
                        case CONTENT -> readContent(here, in);
                        case TUNNEL -> {
                            if (tunnel != null) {
                                tunnel.toClient();
                            }
                            yield false;
                        }
                        case WAITING, PAUSED, OVER -> false;
                    };
        }
    }

    @Override
    public void drained() {
        @Nullable Sent here = sent;
        if (here == null) {
            return;
        }
        if (tunnel != null) {
            tunnel.drained();
        } else if (here.pump() != null) {
            here.pump().drained();
        }
    }

    @Override
    public void lost() {
        @Nullable Sent here = sent;
        if (here != null) {
            endedEarly(here);
        } else if (state != State.OVER) { // the request could not be sent
            state = State.OVER;
            broken(null, false, "The upstream could not be asked.");
        }
    }

    @Override
    public void overdue() {
        @Nullable Sent here = sent;
        if (here == null) {
            return;
        }
        @Nullable ContentPump pump = here.pump();
        if (awaitsContinue && pump != null) {
            startContent(pump); // the upstream may not know Expect (RFC 9110 §10.1.1)
        } else if (state == State.PAUSED || (pump != null && pump.waitsForClient())) {
            moveDeadline(); // the engine measures the client's pace
        } else {
            @Nullable ProxyTunnel idle = tunnel;
            boolean begun = hasBegun();
            end(here);
            here.peer().fail(idle != null ? PeerFault.ABANDONED : PeerFault.LATE);
            if (idle != null) {
                idle.close(Fault.TIMEOUT);
            } else {
                handler.failures().late(exchange, here.peer(), begun);
            }
        }
    }

    // ProxyTunnel.Owner

    @Override
    public void active() {
        @Nullable Sent here = sent;
        if (here != null) {
            here.peer().answerBy(here.peer().nowNanos() + handler.target().tunnelIdleNanos());
        }
    }

    @Override
    public void ended() {
        @Nullable Sent here = sent;
        if (here != null) {
            end(here);
            here.peer().finish(false);
        }
    }

    @Override
    public void broken() {
        aborted();
    }

    private void aborted() {
        State before = state;
        state = State.OVER;
        @Nullable PeerTicket waiting = ticket;
        @Nullable Sent here = sent;
        if (before == State.WAITING && waiting != null) {
            waiting.cancel();
        } else if (here != null) {
            end(here);
            here.peer().fail(PeerFault.ABANDONED);
        }
    }

    /// @return whether to read on
    private boolean readHead(Sent here, Input in) {
        if (in.length() == seen && !fill(here, in)) {
            return false;
        }
        ResponseParser parser = here.loop().parser;
        int length =
                parser.parse(
                        in.array(),
                        in.from(),
                        in.to(),
                        in.from() + seen,
                        exchange.request().method(),
                        here.codecs().head());
        if (length == ResponseParser.NEED_MORE) {
            seen = in.length();
            return true;
        }
        if (length == ResponseParser.ERROR) {
            malformed(here, parser.error());
            return false;
        }
        in.consume(length);
        seen = 0;
        answerHead(here, here.codecs().head(), in);
        return true;
    }

    private void answerHead(Sent here, ReceivedHead head, Input in) {
        if (head.status().code() == 101) {
            if (here.upgrades()) {
                openTunnel(here, head);
            } else {
                malformed(here, null);
            }
        } else if (head.status().interim()) {
            interim(here, head);
        } else if (isSound(here, head, in)) {
            begin(here, head);
        }
    }

    private void interim(Sent here, ReceivedHead head) {
        @Nullable ContentPump pump = here.pump();
        if (++interims > handler.target().interimsMax()) {
            malformed(here, TOO_MANY_INTERIMS);
            return;
        }
        if (!awaitsContinue) {
            long latest = sentNanos + handler.target().interimNanos();
            long usual = sentNanos + handler.pool().limits().answerNanos();
            answerBy(here, Math.max(latest, usual));
        }
        if (!head.status().equals(Status.CONTINUE)) {
            exchange.response().inform(head.status(), Forwarding.fields(head, false));
        } else if (awaitsContinue && pump != null) {
            startContent(pump);
        }
    }

    private void startContent(ContentPump pump) {
        awaitsContinue = false;
        moveDeadline();
        pump.start(); // its first read sends 100 to the client
    }

    /// Looks at the content that has come with the head. If it is visibly broken, or the upstream
    /// has left already, the answer is 502, because nothing was sent to the client.
    ///
    /// @return whether the answer may begin
    private boolean isSound(Sent here, ReceivedHead head, Input in) {
        if (isWhole(here, head, in) || state != State.HEAD) {
            return state == State.HEAD;
        }
        int n = in.fill();
        if (n == Input.END) {
            endedEarly(here);
        } else if (n > 0) {
            boolean _ = isWhole(here, head, in);
        }
        return n != Input.LOST && state == State.HEAD; // a loss is reported later
    }

    /// Returns whether all content is in the input. Ends the request if it is malformed.
    private boolean isWhole(Sent here, ReceivedHead head, Input in) {
        if (head.framing() != Framing.CHUNKED) {
            return head.framing() != Framing.LENGTH || in.length() >= head.contentLength();
        }
        BodyDecoder body = here.codecs().body();
        body.chunked();
        int _ = body.decode(in.array(), in.from(), in.to(), null);
        boolean whole = body.done();
        if (body.error() != null) {
            malformed(here, body.error());
        }
        body.chunked();
        return whole;
    }

    private void begin(Sent here, ReceivedHead head) {
        awaitsContinue = false; // a client that waits for 100 sends no content now
        moveDeadline();
        Framing framing = head.framing();
        boolean known = framing == Framing.LENGTH || framing == Framing.NONE;
        long length = known ? head.contentLength() : ResponseHead.UNKNOWN_LENGTH;
        state = State.CONTENT;
        left = framing == Framing.LENGTH ? length : 0;
        exchange.response()
                .head(new ResponseHead(head.status(), Forwarding.fields(head, false), length));
        if (framing == Framing.NONE || (framing == Framing.LENGTH && left == 0)) {
            complete(here, Fields.EMPTY);
        }
    }

    /// @return whether to read on
    private boolean readContent(Sent here, Input in) {
        if (in.length() == 0) {
            @Nullable ByteBuffer into = direct(here);
            if (into != null) {
                return readPast(here, in, into);
            }
            if (!fill(here, in)) {
                return false;
            }
        }
        return switch (here.codecs().head().framing()) {
            case CHUNKED -> readChunks(here, in);
            case LENGTH -> {
                int length = (int) Math.min(left, Math.min(in.length(), PIECE_MAX_BYTES));
                yield passed(here, length, forward(in, length));
            }
            case CLOSE -> forward(in, Math.min(in.length(), PIECE_MAX_BYTES)) || pause(here);
            case NONE -> false;
        };
    }

    /// Returns the client's buffer, if the rest of the answer can be read into it.
    private @Nullable ByteBuffer direct(Sent here) {
        return here.codecs().head().framing() == Framing.LENGTH
                ? exchange.directContent().room(left)
                : null;
    }

    /// Reads once into the client's buffer, so that nothing is copied.
    ///
    /// @return whether to read on
    private boolean readPast(Sent here, Input in, ByteBuffer into) {
        int n = in.fill(into);
        boolean room = exchange.directContent().filled() > 0;
        return arrived(here, n) && passed(here, n, room);
    }

    /// Handles content of known length that was passed on.
    ///
    /// @return whether to read on
    private boolean passed(Sent here, int length, boolean room) {
        left -= length;
        if (left == 0 && state == State.CONTENT) {
            complete(here, Fields.EMPTY);
            return false;
        }
        return room || pause(here);
    }

    private boolean readChunks(Sent here, Input in) {
        ByteBuffer decoded = here.loop().decoded;
        decoded.clear();
        in.consume(here.codecs().body().decode(in.array(), in.from(), in.to(), decoded));
        decoded.flip();
        boolean room = true;
        if (decoded.hasRemaining()) {
            room = exchange.response().write(new Body.Bytes(decoded, null)) > 0;
        }
        if (state != State.CONTENT) {
            return false;
        }
        @Nullable ProtocolError error = here.codecs().body().error();
        if (error != null) {
            malformed(here, error);
            return false;
        }
        if (here.codecs().body().done()) {
            complete(here, here.codecs().body().trailers());
            return false;
        }
        return room || pause(here);
    }

    /// @return whether the client takes more
    private boolean forward(Input in, int length) {
        ByteBuffer piece = ByteBuffer.wrap(in.array(), in.from(), length);
        in.consume(length);
        return exchange.response().write(new Body.Bytes(piece, null)) > 0;
    }

    /// Waits for the client.
    ///
    /// @return false: nothing is read until then
    private boolean pause(Sent here) {
        if (state == State.CONTENT) {
            state = State.PAUSED;
            here.peer().connection().wantRead(false);
            exchange.response().onWritable(this::writable);
        }
        return false;
    }

    private void writable() {
        @Nullable Sent here = sent;
        if (state == State.PAUSED && here != null) {
            state = State.CONTENT;
            here.peer().connection().wantRead(true);
            moveDeadline();
            readable();
        }
    }

    /// @return whether there is fresh input
    private boolean fill(Sent here, Input in) {
        return arrived(here, in.fill());
    }

    /// Handles the result of a read.
    ///
    /// @return whether there is fresh input
    private boolean arrived(Sent here, int n) {
        if (n > 0) {
            received = true;
            if (state == State.CONTENT) {
                moveDeadline();
            }
            return true;
        }
        if (n == Input.END) {
            boolean untilClose =
                    state == State.CONTENT && here.codecs().head().framing() == Framing.CLOSE;
            if (untilClose) {
                complete(here, Fields.EMPTY);
            } else {
                endedEarly(here);
            }
        }
        return false;
    }

    private void complete(Sent here, Fields trailers) {
        @Nullable ContentPump pump = here.pump();
        boolean stays = here.codecs().head().persistent() && (pump == null || pump.isSent());
        state = State.OVER;
        exchange.response().end(trailers);
        end(here);
        here.peer().finish(stays);
    }

    private void openTunnel(Sent here, ReceivedHead head) {
        state = State.TUNNEL;
        Fields fields = Forwarding.fields(head, true);
        ResponseHead answer = new ResponseHead(head.status(), fields, ResponseHead.UNKNOWN_LENGTH);
        Duplex client = exchange.upgrade(answer);
        if (state == State.TUNNEL) {
            tunnel =
                    new ProxyTunnel(client, here.peer().connection(), here.loop().pumpBuffer, this);
            active();
            tunnel.start();
        }
    }

    /// Handles an upstream that left before its answer was complete.
    private void endedEarly(Sent here) {
        boolean begun = hasBegun();
        @Nullable ProxyTunnel open = tunnel;
        boolean again = state == State.HEAD && mayRepeat(here);
        end(here);
        here.peer().fail(PeerFault.LOST); // without effect if the connection was lost
        if (again) {
            long lost = lostAt | here.peer().upstreamBit();
            new ProxyRequest(handler, exchange, attempt + 1, lost).start();
        } else if (open != null) {
            open.lost();
        } else {
            broken(here.peer(), begun, "The server behind this one ended before its answer.");
        }
    }

    /// Returns whether the request may be sent again: its effect is the same, its content is empty,
    /// and no byte of an answer has come (RFC 9110 §9.2.2).
    private boolean mayRepeat(Sent here) {
        return !received
                && attempt < ATTEMPTS_MAX
                && here.pump() == null
                && exchange.request().method().idempotent();
    }

    private void malformed(Sent here, @Nullable ProtocolError error) {
        boolean begun = hasBegun();
        end(here);
        here.peer().fail(PeerFault.MALFORMED);
        String what = error == null ? "" : ": " + error.what();
        broken(
                here.peer(),
                begun,
                "The answer of the server behind this one is malformed" + what + ".");
    }

    private void broken(@Nullable Peer peer, boolean begun, String what) {
        handler.failures().broken(exchange, peer, begun, what);
    }

    private boolean hasBegun() {
        return state == State.CONTENT || state == State.PAUSED;
    }

    /// Ends the use of what the request holds. Called once.
    private void end(Sent here) {
        state = State.OVER;
        sent = null;
        @Nullable ContentPump pump = here.pump();
        if (pump != null) {
            pump.stop();
        }
        @Nullable ProxyTunnel open = tunnel;
        if (open != null) {
            open.stop();
        }
        here.loop().giveBack(here.codecs());
    }

    private void moveDeadline() {
        @Nullable Sent here = sent;
        if (here != null) {
            answerBy(here, Long.MAX_VALUE);
        }
    }

    private void answerBy(Sent here, long latestNanos) {
        Peer peer = here.peer();
        long usual = peer.nowNanos() + handler.pool().limits().answerNanos();
        peer.answerBy(Math.min(latestNanos, usual));
    }
}
