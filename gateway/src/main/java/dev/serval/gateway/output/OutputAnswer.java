package dev.serval.gateway.output;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.cgi.OutputParser;
import dev.serval.gateway.relay.Interception;
import dev.serval.gateway.relay.Overflow;
import dev.serval.gateway.relay.SentFiles;
import dev.serval.handler.Body;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ResponseHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Turns the output of an application into a response. Short output that ends before the response
/// has begun gets its exact length; longer output is sent as it arrives.
///
/// Order of calls: [#take] for each piece; [#pause] when no further piece has arrived; [#end] after
/// the last one. Owned by the loop of the exchange.
public final class OutputAnswer {
    /// The result of [#take]: the parser has an error, and the response has not begun.
    public static final int WRONG = -1;

    /// The result of [#take]: the client takes no more for now.
    public static final int FULL = 0;

    /// The result of [#take]: more is welcome.
    public static final int ROOM = 1;

    /// The largest piece of one write. A larger one is not copied at once.
    private static final int PIECE_MAX_BYTES = 32 << 10;

    /// ```text
    /// HEAD ── head complete ──▶ HELD ── pause, or too long to hold ──▶ STREAMING ── end ──▶ OVER
    ///                             ├──── end ──▶ OVER
    ///                             └──── names a file, or is an error that the mount
    ///                                   replaces ──▶ DROPPING ── end ──▶ OVER
    /// ```
    private enum State {
        HEAD,
        HELD,
        STREAMING,
        DROPPING,
        OVER
    }

    private final EngineExchange exchange;
    private final OutputParser parser;
    private final boolean mayNameFile;
    private final Overflow overflow;
    private State state = State.HEAD;
    private @Nullable ByteBuffer held;
    private long contentBytes;

    /// Creates an answer.
    ///
    /// @param parser reset for this output
    /// @param mayNameFile whether X-Accel-Redirect and X-Sendfile replace the content
    /// @param overflow takes what the client does not take; while it is open, no piece is longer than
    ///     it has room for
    OutputAnswer(
            EngineExchange exchange, OutputParser parser, boolean mayNameFile, Overflow overflow) {
        this.exchange = exchange;
        this.parser = parser;
        this.mayNameFile = mayNameFile;
        this.overflow = overflow;
    }

    /// Takes a piece of the output, `source[from, to)`.
    ///
    /// @return [#WRONG], [#FULL] or [#ROOM]
    public int take(byte[] source, int from, int to) {
        int at = from;
        if (state == State.HEAD) {
            at += parser.take(source, from, to);
            if (parser.error() != null) {
                return WRONG;
            }
            if (!parser.isComplete()) {
                return ROOM;
            }
            startContent();
        }
        return at == to ? ROOM : content(source, at, to);
    }

    /// Sends what is held, because no further output has arrived.
    public void pause() {
        if (state == State.HELD) {
            stream();
        }
    }

    /// Ends the response.
    ///
    /// @return whether it is complete; if not, the output ended in its head
    public boolean end() {
        if (state == State.HEAD) {
            parser.end();
            if (parser.error() != null) {
                return false;
            }
            startContent();
        }
        switch (state) {
            case HELD -> sendWhole();
            case STREAMING -> exchange.response().end(Fields.EMPTY);
            case HEAD, DROPPING, OVER -> {}
        }
        release();
        state = State.OVER;
        return true;
    }

    /// Drops what is held, because the exchange has ended.
    public void drop() {
        release();
        state = State.OVER;
    }

    /// Returns whether the response has begun, so that it can only be aborted.
    public boolean hasBegun() {
        return state == State.STREAMING || state == State.OVER;
    }

    /// Returns whether the head of the output is complete.
    public boolean hasHead() {
        return state != State.HEAD;
    }

    /// Returns whether the head of the output is complete, and the page of the mount takes its place.
    public boolean isReplaced() {
        return Interception.concerns(exchange, parser.status());
    }

    /// Returns whether all content has come that the output's own Content-Length declares. If not, the
    /// application broke off. Content that is dropped or that the answer cannot have may be missing.
    /// With a content coding the length may be that of the plain content: PHP's
    /// `zlib.output_compression` compresses what a script sends and leaves its Content-Length.
    public boolean isAsLongAsDeclared() {
        return contentBytes >= parser.declaredLength()
                || state == State.DROPPING
                || parser.fields().contains(FieldName.CONTENT_ENCODING)
                || exchange.request().method() == Method.HEAD
                || parser.status().withoutContent();
    }

    /// Returns the file that the output names in place of its content, or null. The caller sends it
    /// after the output has ended.
    public @Nullable String file(FieldName field) {
        return state == State.DROPPING || state == State.OVER ? parser.fields().first(field) : null;
    }

    /// Returns the fields of the output without those that name a file.
    public Fields fieldsOfFile() {
        return SentFiles.withoutNames(parser.fields());
    }

    private void startContent() {
        boolean named = mayNameFile && SentFiles.areNamedBy(parser.fields());
        if (named || isReplaced()) {
            state = State.DROPPING;
            return;
        }
        state = State.HELD;
        if (parser.earlyLength() > 0) {
            content(parser.earlyContent(), 0, parser.earlyLength());
        }
    }

    private int content(byte[] source, int from, int to) {
        contentBytes += to - from;
        return switch (state) {
            case HELD -> hold(source, from, to);
            case STREAMING -> send(source, from, to);
            case HEAD, DROPPING, OVER -> ROOM;
        };
    }

    private int hold(byte[] source, int from, int to) {
        if (held == null) {
            held = exchange.lender().lend();
        }
        ByteBuffer into = held;
        if (into.remaining() < to - from) {
            stream();
            return send(source, from, to);
        }
        into.put(source, from, to - from);
        return ROOM;
    }

    /// Begins a response whose length is not known.
    private void stream() {
        long length = ResponseHead.UNKNOWN_LENGTH;
        if (exchange.request().method() == Method.HEAD) {
            length = Math.max(length, parser.declaredLength());
        }
        state = State.STREAMING;
        exchange.response().head(head(length));
        @Nullable ByteBuffer content = held;
        held = null;
        if (content != null) {
            ByteBuffer lent = content.flip();
            exchange.response().write(new Body.Bytes(lent, () -> exchange.lender().giveBack(lent)));
        }
    }

    private int send(byte[] source, int from, int to) {
        if (overflow.isOpen()) {
            overflow.buffer().put(source, from, to - from);
            return ROOM;
        }
        long room = 1;
        for (int at = from; at < to; at += PIECE_MAX_BYTES) {
            int length = Math.min(PIECE_MAX_BYTES, to - at);
            Body piece = exchange.passing(ByteBuffer.wrap(source, at, length));
            room = exchange.response().write(piece);
        }
        return room > 0 ? ROOM : FULL;
    }

    private void sendWhole() {
        if (exchange.request().method() == Method.HEAD && held == null) {
            stream(); // the application has left the content away
            exchange.response().end(Fields.EMPTY);
            return;
        }
        @Nullable ByteBuffer content = held;
        held = null;
        if (content == null) {
            exchange.response().send(head(0), Body.Empty.EMPTY);
            return;
        }
        ByteBuffer lent = content.flip();
        exchange.response()
                .send(
                        head(lent.remaining()),
                        new Body.Bytes(lent, () -> exchange.lender().giveBack(lent)));
    }

    private ResponseHead head(long length) {
        // Without the fields that name a file: a mount that sends none must not show its path.
        return new ResponseHead(parser.status(), fieldsOfFile(), length);
    }

    private void release() {
        if (held != null) {
            exchange.lender().giveBack(held);
            held = null;
        }
    }
}
