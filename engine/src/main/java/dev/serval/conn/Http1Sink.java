package dev.serval.conn;

import dev.serval.handler.Body;
import dev.serval.handler.Fault;
import dev.serval.handler.Sink;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.Method;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http1.Framing;
import dev.serval.http1.Persistence;
import dev.serval.http1.ResponseEncoder;
import dev.serval.net.Output;
import dev.serval.policy.Counter;
import dev.serval.policy.ErrorPages;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The response of an HTTP/1.1 exchange: chooses its framing, keeps it, and decides with its head
/// whether the connection goes on (RFC 9112 §6.3, §9.3). Reused from request to request.
///
/// ```
///   OPEN ── head ──▶ CONTENT ── end, abort, lost ──▶ ENDED
///     └──────────── abort, lost ─────────────────────▶
/// ```
/// Once ended, what is still written is given back unsent.
final class Http1Sink implements Sink {
    private enum State {
        OPEN,
        CONTENT,
        ENDED
    }

    private final Http1Connection connection;
    private final Http1Exchange exchange;
    private final Output out;
    private @Nullable RequestHead request;
    private State state = State.ENDED;
    private Framing framing = Framing.NONE;
    private boolean suppressed; // content is counted and not sent
    private boolean persistent;
    private boolean givenUp;
    private int status;
    private long length;
    private long written;
    private @Nullable Runnable waiting;

    Http1Sink(Http1Connection connection, Http1Exchange exchange) {
        this.connection = connection;
        this.exchange = exchange;
        this.out = connection.net().out();
    }

    /// Starts the response to a request; null where its head could not be read.
    void begin(@Nullable RequestHead answered) {
        request = answered;
        state = State.OPEN;
        givenUp = false;
        status = 0;
        written = 0;
        waiting = null;
    }

    @Override
    public void inform(Status interim, Fields fields) {
        exchange.touched();
        if (state == State.CONTENT || !interim.interim() || interim.code() == 101) {
            throw new IllegalStateException(
                    "An interim response is 1xx but 101, before the head: " + interim);
        }
        if (state == State.OPEN && speaks11()) {
            encoder().interim(out.room(encoder().interimBound(interim, fields)), interim, fields);
            connection.metrics().count(Counter.RESPONSES_1XX);
        }
    }

    @Override
    public void head(ResponseHead head) {
        exchange.touched();
        if (state != State.OPEN) {
            requireEnded("A response has one head");
            return;
        }
        state = State.CONTENT;
        status = head.status().code();
        length = head.contentLength();
        frame(head);
        persistent = !givenUp && persists();
        encode(head);
    }

    @Override
    public long write(Body part) {
        if (state == State.OPEN) {
            throw new IllegalStateException("Content comes behind the head");
        }
        long n = part.length();
        if (state == State.ENDED || suppressed || n == 0) {
            written += state == State.ENDED ? 0 : n;
            release(part);
            return room();
        }
        if (framing == Framing.LENGTH && n > length - written) {
            overrun(part);
            return room();
        }
        written += n;
        if (framing == Framing.CHUNKED) {
            ResponseEncoder.chunkHead(out.room(ResponseEncoder.CHUNK_HEAD_MAX), n);
            put(part, n);
            ResponseEncoder.chunkEnd(out.room(ResponseEncoder.CHUNK_END));
        } else {
            put(part, n);
        }
        return room();
    }

    @Override
    public void onWritable(Runnable once) {
        exchange.touched();
        if (state == State.ENDED || room() > 0) {
            exchange.later(once);
        } else if (exchange.outlastsTurn()) {
            waiting = once;
            connection.net().wantDrained();
            connection.resumed();
        }
    }

    @Override
    public void end(Fields trailers) {
        if (state != State.CONTENT) {
            requireEnded("A response has a head before its end");
            return;
        }
        if (framing == Framing.CHUNKED && !suppressed) {
            ResponseEncoder.lastChunk(out.room(ResponseEncoder.lastChunkBound(trailers)), trailers);
        } else if (framing == Framing.LENGTH && !suppressed && written < length) {
            fault("fewer");
            persistent = false;
        }
        finish();
    }

    @Override
    public void abort(Fault why) {
        giveUp(why, why == Fault.OVERLOAD);
    }

    /// As [#abort].
    ///
    /// @param known whether the exchange's holder learns of it by what it just called; if not, it may
    ///     come late, and no other request may be served by this exchange
    void giveUp(Fault why, boolean known) {
        exchange.touched();
        switch (state) {
            case OPEN -> {
                givenUp = !known;
                send(ErrorAnswer.of(pages(), why));
            }
            case CONTENT -> {
                state = State.ENDED;
                persistent = false;
                connection.net().abort();
                exchange.responseEnded(false);
            }
            case ENDED -> {}
        }
    }

    /// Whether the head was sent and the end was not.
    boolean hasBegun() {
        return state == State.CONTENT;
    }

    /// Bytes of content accepted.
    long written() {
        return written;
    }

    /// The final status, or 0.
    int status() {
        return status;
    }

    /// There is room again.
    void writable() {
        @Nullable Runnable callback = waiting;
        waiting = null;
        if (callback != null) {
            exchange.call(callback);
        }
    }

    /// The connection is gone: nothing more is sent.
    void lost() {
        state = State.ENDED;
        waiting = null;
    }

    void sendContinue() {
        if (state == State.OPEN && speaks11()) {
            encoder().interim(out.room(64), Status.CONTINUE, Fields.EMPTY);
            connection.metrics().count(Counter.RESPONSES_1XX);
        }
    }

    /// Answers with an error page.
    void refuse(Status error, Fields fields, String what) {
        exchange.touched();
        if (state != State.OPEN) {
            abort(Fault.APPLICATION);
            return;
        }
        send(ErrorAnswer.of(pages(), error, fields, what));
    }

    /// Answers a message that broke the protocol, without content where the client asked for the head
    /// alone. The connection sees to its own end.
    void refuseUnread(ProtocolError error, boolean headAlone) {
        ErrorAnswer answer = ErrorAnswer.of(pages(), error);
        status = error.status().code();
        state = State.ENDED;
        framing = Framing.LENGTH;
        persistent = false;
        encode(answer.head());
        if (!headAlone) {
            out.write(ByteBuffer.wrap(answer.page()), null);
        }
        written = answer.page().length;
        exchange.refused();
    }

    /// The content broke while it was read.
    void contentFailed(Fault why, @Nullable ProtocolError error) {
        switch (state) {
            case OPEN ->
                    send(
                            error != null
                                    ? ErrorAnswer.of(pages(), error)
                                    : ErrorAnswer.of(pages(), why));
            case CONTENT -> abort(why);
            case ENDED -> {}
        }
    }

    /// Sends the head that turns the connection into a tunnel.
    void upgrade(ResponseHead head) {
        if (state != State.OPEN) {
            throw new IllegalStateException("An upgrade is the first answer");
        }
        status = head.status().code();
        state = State.ENDED;
        framing = Framing.NONE;
        persistent = true;
        ResponseHead answer = head.status().code() == 101 ? switching(head) : head;
        ByteBuffer into = out.room(encoder().headBound(answer));
        byte[] date = connection.http().dateLine();
        encoder().head(into, answer, Framing.NONE, Persistence.KEEP, date);
    }

    /// The Upgrade field is a matter of this connection alone, and says so (RFC 9110 §7.8).
    private static ResponseHead switching(ResponseHead head) {
        Fields fields = Fields.of(FieldName.CONNECTION, "upgrade").addAll(head.fields());
        return new ResponseHead(head.status(), fields, ResponseHead.UNKNOWN_LENGTH);
    }

    private void frame(ResponseHead head) {
        @Nullable RequestHead answered = request;
        boolean headOnly = answered != null && answered.method() == Method.HEAD;
        suppressed = headOnly || head.status().withoutContent();
        if (head.status().withoutContent()) {
            framing = Framing.NONE;
        } else if (length != ResponseHead.UNKNOWN_LENGTH) {
            framing = Framing.LENGTH;
        } else {
            framing = speaks11() ? Framing.CHUNKED : Framing.CLOSE;
        }
    }

    private boolean persists() {
        @Nullable RequestHead answered = request;
        return answered != null
                && answered.persistent()
                && answered.method() != Method.CONNECT // what follows may be meant for the tunnel
                && framing != Framing.CLOSE
                && connection.mayPersist()
                && exchange.source().mayFinish(answered);
    }

    private void encode(ResponseHead head) {
        @Nullable RequestHead answered = request;
        Persistence persistence =
                !persistent
                        ? Persistence.CLOSE
                        : answered != null && answered.version() == HttpVersion.HTTP_1_0
                                ? Persistence.KEEP_1_0
                                : Persistence.KEEP;
        ByteBuffer into = out.room(encoder().headBound(head));
        encoder().head(into, head, framing, persistence, connection.http().dateLine());
    }

    private void put(Body part, long n) {
        switch (part) {
            case Body.Empty _ -> {}
            case Body.Bytes bytes -> out.write(bytes.buffer(), bytes.released());
            case Body.FileRegion region ->
                    out.write(region.file(), region.position(), n, region.released());
        }
    }

    /// Sends what the head promised and not a byte more, then ends the connection.
    private void overrun(Body part) {
        long allowed = length - written;
        fault("more");
        written = length;
        persistent = false;
        switch (part) {
            case Body.Bytes bytes when allowed > 0 -> {
                ByteBuffer content = bytes.buffer().duplicate();
                out.write(content.limit(content.position() + (int) allowed), bytes.released());
            }
            case Body.FileRegion _ when allowed > 0 -> put(part, allowed);
            case Body.Bytes _, Body.FileRegion _, Body.Empty _ -> release(part);
        }
        finish();
        exchange.blame(Fault.APPLICATION);
        exchange.runOnAbort();
    }

    private void finish() {
        state = State.ENDED;
        waiting = null;
        @Nullable RequestHead answered = request;
        boolean goesOn =
                persistent && answered != null && exchange.source().worthFinishing(answered);
        exchange.responseEnded(goesOn);
    }

    private void fault(String how) {
        connection.metrics().count(Counter.HANDLER_FAULTS);
        String what = "A response has " + how + " bytes of content than its head says: " + length;
        connection
                .loop()
                .report("A handler broke its own promise", new IllegalStateException(what));
    }

    private void requireEnded(String rule) {
        if (state != State.ENDED) {
            throw new IllegalStateException(rule);
        }
    }

    /// None on a connection that is lost, so that a handler writing while there is room stops.
    private long room() {
        return out.hadItsShare() || !connection.net().isOpen()
                ? 0
                : connection.limits().buffers().unsentMaxBytes() - out.backlog();
    }

    private boolean speaks11() {
        @Nullable RequestHead answered = request;
        return answered == null || answered.version() != HttpVersion.HTTP_1_0;
    }

    private ResponseEncoder encoder() {
        return connection.http().encoder();
    }

    private void send(ErrorAnswer answer) {
        send(answer.head(), answer.content());
    }

    private ErrorPages pages() {
        return connection.http().settings().pages();
    }

    private static void release(Body part) {
        @Nullable Runnable released = part.released();
        if (released != null) {
            released.run();
        }
    }
}
