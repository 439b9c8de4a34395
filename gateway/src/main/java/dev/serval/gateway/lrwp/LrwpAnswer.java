package dev.serval.gateway.lrwp;

import static java.util.Objects.requireNonNull;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.OutputParser;
import dev.serval.gateway.peer.Peer;
import dev.serval.gateway.peer.PeerFault;
import dev.serval.gateway.relay.Attempt;
import dev.serval.gateway.relay.Failures;
import dev.serval.gateway.relay.Overflow;
import dev.serval.gateway.relay.Reply;
import dev.serval.handler.Body;
import dev.serval.handler.Sink;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.ResponseHead;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Reads the answer of a peer and sends it to the client.
///
/// ```
///   LENGTH ──▶ HEAD ──▶ CONTENT
///     │         │          │
///     └─────────┴──────────┴── client left, or an error was sent ──▶ DROP
/// ```
/// The end is a state of the [Attempt], as is the pause in CONTENT while the client takes no bytes.
/// If that lasts, the rest of the answer goes to an [Overflow], so that the peer is free for other
/// clients. Owned by the loop of the exchange.
final class LrwpAnswer implements Reply {
    private enum State {
        LENGTH,
        HEAD,
        CONTENT,
        DROP
    }

    private final LrwpLoop loop;
    private final EngineExchange x; // not to be used in state DROP
    private final Attempt attempt;
    private final Peer peer;
    private final Failures failures;
    private final LengthField length = new LengthField();
    private final long answerByNanos;
    private final Overflow overflow;
    private State state = State.LENGTH;
    private @Nullable OutputParser parser; // in state HEAD
    private long left; // bytes of the answer

    /// Creates an answer. The peer was granted.
    LrwpAnswer(LrwpLoop loop, EngineExchange x, Attempt attempt, Failures failures) {
        this.loop = loop;
        this.x = x;
        this.attempt = attempt;
        this.peer = attempt.peer();
        this.failures = failures;
        this.answerByNanos = peer.nowNanos() + loop.settings().pool().answerNanos();
        this.overflow = new Overflow(attempt, loop.collecting(), this::stored);
    }

    @Override
    public void readable() {
        int n = attempt.fill();
        if (n == Input.END) {
            attempt.brokenOff();
        } else if (n > 0) {
            take();
        }
    }

    @Override
    public void resumed() {
        peer.answerBy(answerByNanos);
        take();
    }

    /// Takes the rest of the answer, so that the peer becomes free.
    @Override
    public void clientIsSlow() {
        if (peer.nowNanos() >= answerByNanos) {
            tooLate();
            return;
        }
        peer.answerBy(answerByNanos);
        if (overflow.open(Fields.EMPTY)) {
            take();
        }
    }

    @Override
    public void clientCatchesUp() {
        overflow.clientCatchesUp();
    }

    @Override
    public void late() {
        if (peer.nowNanos() < answerByNanos) {
            peer.answerBy(answerByNanos);
        } else {
            tooLate();
        }
    }

    /// Reads the rest of the answer and drops it, so that the peer can serve others.
    @Override
    public void clientLeft() {
        if (state == State.DROP) {
            return;
        }
        overflow.drop();
        enterDrop();
        peer.answerBy(answerByNanos);
        attempt.resume();
        take();
    }

    @Override
    public boolean hasBegun() {
        return state == State.CONTENT;
    }

    @Override
    public void endResponse() {
        overflow.send();
        x.response().end(Fields.EMPTY);
    }

    @Override
    public void lost(boolean begun) {
        if (state != State.DROP) {
            failures.lost(x, peer, begun);
        }
    }

    /// Gives back what was lent.
    @Override
    public void release() {
        giveParserBack();
        overflow.end(); // with what came before a failure
    }

    private void giveParserBack() {
        if (parser != null) {
            loop.giveBack(parser);
            parser = null;
        }
    }

    /// Reads what has arrived, as far as the state allows.
    private void take() {
        boolean more = true;
        while (more && attempt.isBusy()) {
            more =
                    switch (state) {
                        case LENGTH -> takeLength();
                        case HEAD -> takeHead();
                        case CONTENT -> takeContent();
                        case DROP -> takeDrop();
                    };
        }
    }

    private boolean takeLength() {
        Input in = input();
        int used = length.take(in.array(), in.from(), in.to());
        if (used == LengthField.MALFORMED) {
            fail(
                    PeerFault.MALFORMED,
                    "The application sent an answer that does not begin with its length.",
                    "The length has nine digits.");
            return false;
        }
        in.consume(used);
        if (!length.isComplete()) {
            return false;
        }
        left = length.value();
        if (left > loop.settings().answers().answerMaxBytes()) {
            fail(
                    PeerFault.TOO_LARGE,
                    "The application sent an answer that is larger than this server allows.",
                    "It has " + left + " bytes.");
        } else if (left == 0) {
            refuse("The application sent an empty answer.", "It sends at least an empty line.");
            return true;
        } else {
            state = State.HEAD;
            parser = loop.lendParser();
        }
        return true;
    }

    private boolean takeHead() {
        OutputParser reader = requireNonNull(parser, "A head is read without a parser");
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
            refuse(
                    "The application sent a malformed answer: " + error.what() + ".",
                    "Check what it sends before the content.");
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
        giveParserBack();
        state = State.CONTENT;
    }

    private boolean takeContent() {
        if (overflow.isFull()) {
            overflow.store();
            return false;
        }
        Input in = input();
        int n = Math.min(available(in), overflow.room(Piece.BYTES));
        boolean room = n == 0 || pass(in, n);
        in.consume(n);
        left -= n;
        if (left == 0) {
            complete();
        } else if (!room && attempt.isBusy()) {
            overflow.pause(answerByNanos);
        }
        return n > 0;
    }

    /// Passes the next bytes on. HTTP/2 keeps them until the client's windows allow them, so they get
    /// memory of their size there.
    ///
    /// @return whether more may follow
    private boolean pass(Input in, int length) {
        if (overflow.isOpen()) {
            overflow.buffer().put(in.array(), in.from(), length);
            return true;
        }
        long room =
                x.stream() == 0
                        ? loop.piece().write(x.response(), in.array(), in.from(), length)
                        : x.response()
                                .write(x.passing(ByteBuffer.wrap(in.array(), in.from(), length)));
        return room > 0;
    }

    private void stored(@Nullable IOException failure) {
        if (failure == null) {
            take();
        } else {
            failures.notStored(x, peer);
        }
    }

    private boolean takeDrop() {
        if (!length.isComplete()) {
            Input in = input();
            int used = length.take(in.array(), in.from(), in.to());
            if (used == LengthField.MALFORMED) {
                attempt.fail(PeerFault.MALFORMED);
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
            attempt.finish(true);
        }
        return false;
    }

    /// Answers 502 and goes on with the peer, which is in step: the rest of its answer is dropped.
    private void refuse(String what, String advice) {
        peer.count(PeerFault.MALFORMED);
        enterDrop();
        failures.broken(x, peer, false, what, advice);
    }

    /// Closes the peer.
    private void tooLate() {
        boolean begun = attempt.fail(PeerFault.LATE);
        if (state != State.DROP) {
            failures.late(x, peer, begun);
        }
    }

    /// Answers 502 and closes the peer.
    private void fail(PeerFault why, String what, String advice) {
        boolean begun = attempt.fail(why);
        failures.broken(x, peer, begun, what, advice);
    }

    /// Sends the end of the response, and frees the peer. One that answered before it has read the
    /// whole request may be out of step, and is closed by the pool.
    private void complete() {
        if (attempt.isBusy()) {
            attempt.complete(true);
        }
    }

    private void enterDrop() {
        release();
        attempt.detach();
        state = State.DROP;
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
