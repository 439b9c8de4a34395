package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Body;
import dev.serval.handler.Fault;
import dev.serval.handler.Sink;
import dev.serval.http.Fields;
import dev.serval.http.Method;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The response as a stream that waits: the thread fills a lent buffer, and hands it to the loop when
/// it is full, flushed, or all there is.
///
/// ```
///              buffer full, flush               end, close
///   OPEN ────────────────────────▶ COMMITTED ───────────────▶ CLOSED
///     ├────────────────────── end, close ──────────────────────▶
///     └── interrupted, failed ──▶ BROKEN ◀── COMMITTED
/// ```
///
/// The state is the thread's. Buffer and head are the thread's, and the loop's while it is asked and
/// from the end on.
final class ContentOutput extends OutputStream {
    private enum State {
        OPEN,
        COMMITTED,
        CLOSED,
        BROKEN
    }

    /// Where the buffer is, for the loop.
    private enum Loan {
        NONE,
        GIVING,
        GIVEN
    }

    private static final ResponseHead OK =
            new ResponseHead(Status.OK, Fields.EMPTY, ResponseHead.UNKNOWN_LENGTH);
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final BlockingExchange exchange;
    private final EngineExchange x;
    private final boolean headAlone; // is asked for
    private State state = State.OPEN;
    private ResponseHead head = OK;
    private @Nullable Supplier<ResponseHead> headLater;
    private ByteBuffer buffer;
    private long counted; // bytes, where the head alone is asked for
    private Fields trailers = Fields.EMPTY;
    private @Nullable Throwable thrown; // by the sink

    private final LoopCall loopCall = new LoopCall();
    private @Nullable ByteBuffer lent; // the loop's, as all below
    private Loan loan = Loan.NONE;
    private long room;
    private boolean begun; // the sink has the head
    private boolean settled;

    /// On the loop.
    ContentOutput(BlockingExchange exchange, EngineExchange x) {
        this.exchange = exchange;
        this.x = x;
        this.headAlone = x.request().method() == Method.HEAD;
        this.buffer = x.lend();
        this.lent = buffer;
    }

    @Override
    public void write(int b) throws IOException {
        requireWritable();
        if (headAlone) {
            counted++;
            return;
        }
        if (!buffer.hasRemaining()) {
            push();
        }
        buffer.put((byte) b);
    }

    @Override
    public void write(byte[] from, int at, int length) throws IOException {
        Objects.checkFromIndexSize(at, length, from.length);
        requireWritable();
        if (headAlone) {
            counted += length;
            return;
        }
        int end = at + length;
        for (int i = at; i < end; ) {
            if (!buffer.hasRemaining()) {
                push();
            }
            int n = Math.min(buffer.remaining(), end - i);
            buffer.put(from, i, n);
            i += n;
        }
    }

    @Override
    public void flush() throws IOException {
        if (state == State.CLOSED) {
            return; // it is on its way
        }
        requireWritable();
        if (state == State.OPEN || buffer.position() > 0) {
            push();
        }
    }

    @Override
    public void close() {
        end(Fields.EMPTY);
    }

    void end(Fields behind) {
        if (state == State.OPEN || state == State.COMMITTED) {
            trailers = behind;
            end(true);
        }
    }

    /// Ends the response, if it has not ended.
    ///
    /// @param atOnce whether the loop is to be told; if not, it comes by itself
    void end(boolean atOnce) {
        switch (state) {
            case OPEN -> head = headOfAll();
            case COMMITTED -> {}
            case CLOSED, BROKEN -> {
                return;
            }
        }
        state = State.CLOSED;
        buffer.flip();
        if (atOnce) {
            exchange.execute(this::finish);
        }
    }

    void inform(Status interim, Fields fields) throws IOException {
        requireWritable();
        requireOpen();
        ask(() -> {
            x.response().inform(interim, fields);
            loopCall.answer();
        });
    }

    void head(ResponseHead next) {
        requireOpen();
        head = next;
        headLater = null;
    }

    void head(Supplier<ResponseHead> next) {
        requireOpen();
        headLater = next;
    }

    void bufferAtLeast(int bytes) {
        requireOpen();
        if (buffer.position() > 0 || counted > 0) {
            throw new IllegalStateException("Content was written already");
        }
        if (bytes > buffer.capacity()) {
            buffer = ByteBuffer.allocate(bytes);
        }
    }

    int bufferBytes() {
        return buffer.capacity();
    }

    boolean committed() {
        return state != State.OPEN;
    }

    boolean answered() {
        return state == State.CLOSED;
    }

    void reset() {
        resetContent();
        head = OK;
        headLater = null;
    }

    void resetContent() {
        requireOpen();
        buffer.clear();
        counted = 0;
    }

    /// Nothing is written any more.
    void expire() {
        if (state != State.CLOSED) {
            state = State.BROKEN;
        }
    }

    private void requireWritable() throws IOException {
        exchange.check();
        switch (state) {
            case OPEN, COMMITTED -> {}
            case CLOSED -> throw new IOException("The response has ended");
            case BROKEN ->
                    throw new IOException(
                            "Nothing can be written any more: an earlier write failed");
        }
    }

    private void requireOpen() {
        if (state != State.OPEN) {
            throw new IllegalStateException("The response is committed");
        }
    }

    /// Hands the buffer's bytes on, and waits for room.
    private void push() throws IOException {
        if (state == State.OPEN) {
            head = laterHead();
            state = State.COMMITTED;
        }
        buffer.flip();
        ask(this::send);
        buffer.clear();
    }

    private void ask(Runnable step) throws IOException {
        try {
            exchange.ask(loopCall, () -> answering(step));
        } catch (ExchangeAbortedException | InterruptedIOException e) {
            state = State.BROKEN;
            throw e;
        }
        @Nullable Throwable failure = thrown;
        if (failure != null) {
            state = State.BROKEN;
            throw new IOException("The response cannot be sent", failure);
        }
    }

    private ResponseHead laterHead() {
        @Nullable Supplier<ResponseHead> later = headLater;
        return later == null ? head : later.get();
    }

    /// The head of a response that is here as a whole. Where there is never content, its length is
    /// what GET would have (RFC 9110 §8.6), which only the application knows.
    private ResponseHead headOfAll() {
        ResponseHead given = laterHead();
        long length = headAlone ? counted : buffer.position();
        boolean stays =
                given.contentLength() != ResponseHead.UNKNOWN_LENGTH
                        || trailers.size() > 0
                        || given.status().withoutContent()
                        || (headAlone && length == 0);
        return stays ? given : given.withContentLength(length);
    }

    // The loop's

    /// Sends what the thread left; the response ends.
    void finish() {
        if (exchange.isOver()) {
            return;
        }
        Sink sink = x.response();
        if (state == State.CLOSED) {
            deliver(sink);
            if (!exchange.isOver()) {
                sink.end(trailers);
            }
        } else {
            sink.abort(
                    Fault.SHUTDOWN); // waiting was given up half-way: who interrupts means the end
        }
        exchange.ended();
    }

    /// The exchange was aborted: whoever waits is told.
    void lost() {
        loopCall.answer();
    }

    void settle() {
        settled = true;
        if (loan != Loan.GIVEN) {
            giveBack();
        }
    }

    /// Carries out what was asked for, unless the thread has given it up; whatever happens, it does
    /// not wait for ever.
    private void answering(Runnable step) {
        if (!loopCall.isAsked()) {
            return;
        }
        try {
            step.run();
        } catch (RuntimeException | Error e) {
            thrown = e;
            loopCall.answer();
            throw e;
        }
    }

    private void send() {
        room = deliver(x.response());
        proceed();
    }

    private long deliver(Sink sink) {
        if (!begun) {
            begun = true;
            sink.head(head);
        }
        if (!buffer.hasRemaining()) {
            return 1;
        }
        loan = Loan.GIVING;
        long left = sink.write(new Body.Bytes(buffer, this::released));
        if (loan == Loan.GIVING) {
            loan = Loan.GIVEN;
        }
        return left;
    }

    /// Answers when the buffer is free and there is room for more.
    private void proceed() {
        if (loan == Loan.GIVEN || exchange.isOver()) {
            return;
        }
        if (room > 0) {
            loopCall.answer();
        } else {
            room = 1;
            x.response().onWritable(this::proceed);
        }
    }

    private void released() {
        boolean late = loan == Loan.GIVEN;
        loan = Loan.NONE;
        if (settled) {
            giveBack();
        } else if (late) {
            proceed();
        }
    }

    private void giveBack() {
        @Nullable ByteBuffer back = lent;
        lent = null;
        buffer = NOTHING; // whoever keeps the stream for later finds no room
        if (back != null) {
            x.giveBack(back);
        }
    }
}
