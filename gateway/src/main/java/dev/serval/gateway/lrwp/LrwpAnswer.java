package dev.serval.gateway.lrwp;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.OutputParser;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.spool.Spool;
import dev.serval.gateway.spool.SpoolFlush;
import dev.serval.handler.Body;
import dev.serval.handler.ExecutorKind;
import dev.serval.handler.Sink;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the answer of a peer and sends it to the client.
///
/// ```
///   LENGTH ──▶ HEAD ──▶ CONTENT ◀──── client takes bytes ────▶ FULL ── 200 ms ──▶ SPOOL
///     │         │          │                                                       │
///     ├─────────┴──────────┴── client left, or an error was sent ──▶ DROP          │
///     └──── last byte read ──────────────────────────────────────────┴─────────────┴──▶ OVER
/// ```
/// While the client takes no bytes (FULL), the peer is not read. If that lasts, the rest of the
/// answer goes to a spool, so that the peer is free for other clients. Owned by the loop of the
/// exchange.
final class LrwpAnswer {
    private enum State {
        LENGTH,
        HEAD,
        CONTENT,
        FULL,
        SPOOL,
        DROP,
        OVER
    }

    private final LrwpLoop loop;
    private final LrwpRequest request;
    private final EngineExchange x; // not to be used in states DROP and OVER
    private final Peer peer; // not to be used in state OVER
    private final LengthField length = new LengthField();
    private final long answerByNanos;
    private State state = State.LENGTH;
    private @Nullable OutputParser parser; // in state HEAD
    private @Nullable Spool rest; // in state SPOOL
    private long left; // bytes of the answer
    private long slowByNanos;
    private boolean flushing;
    private boolean noSpool; // the quota was used up

    LrwpAnswer(LrwpLoop loop, LrwpRequest request, Peer peer) {
        this.loop = loop;
        this.request = request;
        this.x = request.exchange();
        this.peer = peer;
        this.answerByNanos = peer.nowNanos() + loop.settings().pool().answerNanos();
        peer.answerBy(answerByNanos);
    }

    /// Handles bytes of the peer, or their end.
    void readable() {
        int n = input().fill();
        if (n == Input.END) {
            ended();
        } else if (n > 0) {
            take();
        }
    }

    /// Handles that the client has left: the rest of the answer is read and dropped, so that the peer
    /// can serve others.
    void drop() {
        if (state == State.OVER || state == State.DROP) {
            return;
        }
        enterDrop();
        peer.answerBy(answerByNanos);
        connection().wantRead(true);
        take();
    }

    /// Handles the loss of the connection.
    ///
    /// @return whether the client waits for an answer
    boolean lost() {
        boolean waits = state != State.OVER && state != State.DROP;
        release();
        state = State.OVER;
        return waits;
    }

    /// Handles a deadline: that of the answer, or that of a slow client.
    void overdue() {
        long now = peer.nowNanos();
        if (now < answerByNanos && state == State.FULL) {
            spool();
        } else if (now < answerByNanos) {
            peer.answerBy(answerByNanos);
        } else {
            fail(PeerFault.LATE, Status.GATEWAY_TIMEOUT, "The application did not answer in time.");
        }
    }

    /// Reads what has arrived, as far as the state allows.
    private void take() {
        boolean more = true;
        while (more) {
            more =
                    switch (state) {
                        case LENGTH -> takeLength();
                        case HEAD -> takeHead();
                        case CONTENT -> takeContent();
                        case SPOOL -> takeSpool();
                        case DROP -> takeDrop();
                        case FULL, OVER -> false;
                    };
        }
    }

    private boolean takeLength() {
        Input in = input();
        int used = length.take(in.array(), in.from(), in.to());
        if (used == LengthField.MALFORMED) {
            fail(PeerFault.MALFORMED, "The application's answer has no valid length.");
            return false;
        }
        in.consume(used);
        if (!length.isComplete()) {
            return false;
        }
        left = length.value();
        if (left > loop.settings().answers().answerMaxBytes()) {
            fail(PeerFault.TOO_LARGE, "The application's answer is too large.");
        } else if (left == 0) {
            refuse("The application sent an empty answer.");
            return true;
        } else {
            state = State.HEAD;
            parser = loop.lendParser();
        }
        return state == State.HEAD;
    }

    private boolean takeHead() {
        @Nullable OutputParser reader = parser;
        if (reader == null) {
            throw new IllegalStateException("A head is read without a parser");
        }
        Input in = input();
        int most = available(in);
        int used = reader.take(in.array(), in.from(), in.from() + most);
        in.consume(used);
        left -= used;
        if (left == 0) {
            reader.end();
        }
        @Nullable ProtocolError error = reader.error();
        if (error != null) {
            peer.count(PeerFault.MALFORMED);
            refuse("The answer is malformed: " + error.what() + ".");
            return true;
        }
        if (!reader.isComplete()) {
            return false;
        }
        sendHead(reader);
        return true;
    }

    private void sendHead(OutputParser reader) {
        int early = reader.earlyLength();
        Sink out = x.response();
        long length = early + left;
        if (length == 0 && x.request().method() == Method.HEAD) {
            // The content of GET is as long as the application says (RFC 9110 §8.6).
            length =
                    reader.declaredLength() < 0
                            ? ResponseHead.UNKNOWN_LENGTH
                            : reader.declaredLength();
        }
        out.head(new ResponseHead(reader.status(), reader.fields(), length));
        if (early > 0) {
            out.write(Body.Bytes.of(Arrays.copyOf(reader.earlyContent(), early)));
        }
        release();
        state = State.CONTENT;
    }

    private boolean takeContent() {
        Input in = input();
        Sink out = x.response();
        int most = available(in);
        long room = 1;
        while (most > 0 && room > 0) {
            int n = Math.min(most, Piece.BYTES);
            room = loop.piece().write(out, in.array(), in.from(), n);
            in.consume(n);
            left -= n;
            most -= n;
        }
        if (left == 0) {
            complete();
        } else if (room <= 0) {
            full();
        }
        return false;
    }

    /// Sends the end of the response, and frees the peer.
    private void complete() {
        state = State.OVER;
        request.answered();
        try {
            x.response().end(Fields.EMPTY);
        } finally {
            freePeer();
        }
    }

    /// Waits until the client takes more.
    private void full() {
        state = State.FULL;
        connection().wantRead(false);
        long slow = loop.settings().answers().slowNanos();
        slowByNanos = noSpool ? answerByNanos : peer.nowNanos() + slow;
        peer.answerBy(Math.min(answerByNanos, slowByNanos));
        x.response().onWritable(this::writable);
    }

    private void writable() {
        if (state != State.FULL) {
            return; // a spool takes the rest
        }
        state = State.CONTENT;
        connection().wantRead(true);
        peer.answerBy(answerByNanos);
        take();
    }

    /// Reads the rest of the answer into a spool.
    private void spool() {
        state = State.SPOOL;
        rest = loop.spool(x);
        peer.answerBy(answerByNanos);
        connection().wantRead(true);
        take();
    }

    private boolean takeSpool() {
        @Nullable Spool into = rest;
        if (into == null || flushing) {
            return false;
        }
        Input in = input();
        int most = available(in);
        while (most > 0 && !into.isFull()) {
            int n = into.append(in.array(), in.from(), in.from() + most);
            in.consume(n);
            left -= n;
            most -= n;
        }
        if (left == 0) {
            sendSpool(into);
            complete();
        } else if (into.isFull()) {
            flush(into);
        }
        return false;
    }

    private void flush(Spool into) {
        connection().wantRead(false);
        if (into.reserve()) {
            flushing = true;
            x.run(ExecutorKind.DISK, new SpoolFlush(into, this::flushed));
        } else { // without disk space, the client's pace is that of the peer
            noSpool = true;
            sendSpool(into);
            full();
        }
    }

    private void flushed(@Nullable IOException failure) {
        flushing = false;
        if (state != State.SPOOL) {
            return;
        }
        if (failure != null) {
            fail(PeerFault.ABANDONED, "The server could not store the application's answer.");
            return;
        }
        connection().wantRead(true);
        take();
    }

    private void sendSpool(Spool filled) {
        rest = null;
        filled.writeTo(x.response());
        filled.free();
    }

    private boolean takeDrop() {
        if (!length.isComplete()) {
            Input in = input();
            int used = length.take(in.array(), in.from(), in.to());
            if (used == LengthField.MALFORMED) {
                state = State.OVER;
                request.answered();
                peer.fail(PeerFault.MALFORMED);
                return false;
            }
            in.consume(used);
            if (!length.isComplete()) {
                return false;
            }
            left = length.value();
        }
        Input in = input();
        int n = available(in);
        in.consume(n);
        left -= n;
        if (left == 0) {
            state = State.OVER;
            request.answered();
            freePeer();
        }
        return false;
    }

    /// Handles that the peer sends no more although its answer is not complete.
    private void ended() {
        if (state == State.DROP) {
            state = State.OVER;
            request.answered();
            peer.fail(PeerFault.LOST);
        } else {
            fail(PeerFault.LOST, "The application ended before its answer was complete.");
        }
    }

    /// Answers 502 and goes on with the peer, which is in step: the rest of its answer is dropped.
    private void refuse(String what) {
        enterDrop();
        x.refuse(Status.BAD_GATEWAY, Fields.EMPTY, what);
    }

    private void fail(PeerFault why, String what) {
        fail(why, Status.BAD_GATEWAY, what);
    }

    /// Answers with an error, or aborts a response that has begun, and closes the peer.
    private void fail(PeerFault why, Status status, String what) {
        boolean waits = state != State.DROP && state != State.OVER;
        release();
        state = State.OVER;
        request.answered();
        peer.fail(why);
        if (waits) {
            x.refuse(status, Fields.EMPTY, what);
        }
    }

    private void freePeer() {
        // A peer that answered before it has read the whole request may be out of step.
        peer.finish(connection().out().isEmpty());
    }

    private void enterDrop() {
        release();
        state = State.DROP;
    }

    /// Gives back what was lent.
    private void release() {
        @Nullable OutputParser lent = parser;
        @Nullable Spool held = rest;
        parser = null;
        rest = null;
        if (lent != null) {
            loop.giveBack(lent);
        }
        if (held != null) {
            held.free();
        }
    }

    private int available(Input in) {
        return (int) Math.min(in.length(), left);
    }

    private Input input() {
        return connection().in();
    }

    private Connection connection() {
        return peer.connection();
    }
}
