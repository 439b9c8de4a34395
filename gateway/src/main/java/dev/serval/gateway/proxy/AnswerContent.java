package dev.serval.gateway.proxy;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.relay.Attempt;
import dev.serval.gateway.relay.Overflow;
import dev.serval.handler.Body;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http1.BodyDecoder;
import dev.serval.http1.Framing;
import dev.serval.http1.ReceivedHead;
import dev.serval.net.Conduit;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.net.NetLoop;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Passes the content of an answer on to the client, by the shortest way that there is:
///
/// 1. inside the system, by a [Conduit]: long content of known length, without TLS;
/// 2. from the upstream's socket into the client's buffer: other content of known length;
/// 3. through a buffer of the loop: chunks, content that ends with the connection, and what came with
///    the head;
/// 4. into the [Overflow], if the client is slow.
///
/// Each [#read] makes one step. The object also has the head of the answer, because both are lent
/// together, for one answer after the other ([ProxyLoop#lend]). Owned by the loop.
final class AnswerContent {
    /// What a step has led to.
    enum Step {
        /// There may be more to read.
        GO_ON,
        /// Nothing can be read now.
        WAIT,
        /// All content was passed on.
        COMPLETE,
        /// The content breaks the protocol: [#error].
        MALFORMED
    }

    private static final int PIECE_MAX_BYTES = 32 << 10; // the engine copies such a piece at once

    /// The least rest of an answer that passes through a conduit: two moves inside the system cost as
    /// much as copying some ten kilobytes.
    private static final int CONDUIT_LEAST_BYTES = 32 << 10;

    private static final int CONDUIT_MAX_BYTES = 256 << 10;

    private final ReceivedHead head = new ReceivedHead();
    private final BodyDecoder body;
    private final ByteBuffer decoded;
    private long left; // of content with a length
    private @Nullable ProtocolError error;

    /// @param decoded a buffer for chunks, used within a step
    AnswerContent(BodyDecoder body, ByteBuffer decoded) {
        this.body = body;
        this.decoded = decoded;
    }

    /// Returns the head of the answer, which a [dev.serval.http1.ResponseParser] fills.
    ReceivedHead head() {
        return head;
    }

    /// Returns whether all content is in the input, before any of it is read.
    boolean isWhole(Input in) {
        error = null; // of a former answer
        if (head.framing() != Framing.CHUNKED) {
            return head.framing() != Framing.LENGTH || in.length() >= head.contentLength();
        }
        body.chunked();
        int _ = body.decode(in.array(), in.from(), in.to(), null);
        boolean whole = body.done();
        error = body.error();
        body.chunked();
        return whole;
    }

    /// Returns the rule that the content has broken, or null.
    @Nullable ProtocolError error() {
        return error;
    }

    /// Begins, after the head.
    ///
    /// @return whether there is content
    boolean begin() {
        left = head.framing() == Framing.LENGTH ? head.contentLength() : 0;
        return head.framing() != Framing.NONE && (head.framing() != Framing.LENGTH || left > 0);
    }

    /// Returns the trailers of a complete answer.
    Fields trailers() {
        return head.framing() == Framing.CHUNKED ? body.trailers() : Fields.EMPTY;
    }

    /// Reads once, and passes on what has come.
    ///
    /// @param overflow of `attempt`
    Step read(Attempt attempt, Overflow overflow) {
        Input in = attempt.peer().connection().in();
        if (overflow.isFull()) {
            overflow.store();
            return Step.WAIT;
        }
        if (in.length() == 0) {
            @Nullable Conduit conduit = conduit(attempt, overflow);
            if (conduit != null) {
                return readThrough(attempt, overflow, conduit);
            }
            @Nullable ByteBuffer into = direct(attempt, overflow);
            if (into != null) {
                return readPast(attempt, overflow, into);
            }
            int n = attempt.fill();
            if (n <= 0) {
                return nothingCame(attempt, n);
            }
            attempt.moveDeadline();
        }
        return switch (head.framing()) {
            case CHUNKED -> readChunks(attempt, overflow);
            case LENGTH -> {
                int length = (int) Math.min(left, piece(in, overflow));
                boolean room = forward(attempt, overflow, length);
                yield passed(attempt, overflow, length, room);
            }
            case CLOSE ->
                    forward(attempt, overflow, piece(in, overflow))
                            ? Step.GO_ON
                            : pause(attempt, overflow);
            case NONE -> Step.WAIT;
        };
    }

    /// Returns a conduit, if the rest of the answer is long and not encrypted, and the client's
    /// connection can send it from there.
    private @Nullable Conduit conduit(Attempt attempt, Overflow overflow) {
        Connection upstream = attempt.peer().connection();
        return head.framing() == Framing.LENGTH
                        && left >= CONDUIT_LEAST_BYTES
                        && !overflow.isOpen()
                        && upstream.encryption() == null
                        && attempt.exchange().directContent().takesHeld()
                ? upstream.net().conduit()
                : null;
    }

    /// Reads into a conduit, so that nothing is copied into this process.
    private Step readThrough(Attempt attempt, Overflow overflow, Conduit conduit) {
        Connection upstream = attempt.peer().connection();
        NetLoop net = upstream.net();
        int n = upstream.in().fill(conduit, (int) Math.min(left, CONDUIT_MAX_BYTES));
        if (n <= 0) {
            net.giveBack(conduit);
            return nothingCame(attempt, n);
        }
        Runnable free = () -> net.giveBack(conduit);
        boolean room = attempt.exchange().response().write(new Body.Held(conduit, n, free)) > 0;
        attempt.moveDeadline();
        return passed(attempt, overflow, n, room);
    }

    /// Returns the client's buffer, if the rest of the answer can be read into it.
    private @Nullable ByteBuffer direct(Attempt attempt, Overflow overflow) {
        return head.framing() == Framing.LENGTH && !overflow.isOpen()
                ? attempt.exchange().directContent().room(left)
                : null;
    }

    /// Reads into the client's buffer, so that nothing is copied.
    private Step readPast(Attempt attempt, Overflow overflow, ByteBuffer into) {
        int n = attempt.peer().connection().in().fill(into);
        boolean room = attempt.exchange().directContent().filled() > 0;
        if (n <= 0) {
            return nothingCame(attempt, n);
        }
        attempt.moveDeadline();
        return passed(attempt, overflow, n, room);
    }

    /// Handles a read that brought no bytes. A loss is reported later.
    private Step nothingCame(Attempt attempt, int n) {
        if (n == Input.END && head.framing() == Framing.CLOSE) {
            return Step.COMPLETE;
        }
        if (n == Input.END) {
            attempt.brokenOff();
        }
        return Step.WAIT;
    }

    /// Handles content of known length that was passed on.
    private Step passed(Attempt attempt, Overflow overflow, int length, boolean room) {
        left -= length;
        if (left == 0) {
            return Step.COMPLETE;
        }
        return room ? Step.GO_ON : pause(attempt, overflow);
    }

    private Step readChunks(Attempt attempt, Overflow overflow) {
        Input in = attempt.peer().connection().in();
        boolean room = true;
        if (overflow.isOpen()) {
            in.consume(body.decode(in.array(), in.from(), in.to(), overflow.buffer()));
        } else {
            decoded.clear();
            in.consume(body.decode(in.array(), in.from(), in.to(), decoded));
            decoded.flip();
            if (decoded.hasRemaining()) {
                room = pass(attempt.exchange(), decoded);
            }
        }
        if (!attempt.isBusy()) {
            return Step.WAIT;
        }
        error = body.error();
        if (error != null) {
            return Step.MALFORMED;
        }
        if (body.done()) {
            return Step.COMPLETE;
        }
        return room ? Step.GO_ON : pause(attempt, overflow);
    }

    /// Returns the length of the next piece of what has arrived.
    private static int piece(Input in, Overflow overflow) {
        return Math.min(in.length(), overflow.room(PIECE_MAX_BYTES));
    }

    /// @return whether there is room for more
    private static boolean forward(Attempt attempt, Overflow overflow, int length) {
        Input in = attempt.peer().connection().in();
        if (overflow.isOpen()) {
            overflow.buffer().put(in.array(), in.from(), length);
            in.consume(length);
            return true;
        }
        ByteBuffer piece = ByteBuffer.wrap(in.array(), in.from(), length);
        in.consume(length);
        return pass(attempt.exchange(), piece);
    }

    private static boolean pass(EngineExchange exchange, ByteBuffer piece) {
        return exchange.response().write(exchange.passing(piece)) > 0;
    }

    /// Waits for the client.
    private static Step pause(Attempt attempt, Overflow overflow) {
        if (attempt.isBusy()) {
            overflow.pause(Long.MAX_VALUE);
        }
        return Step.WAIT;
    }
}
