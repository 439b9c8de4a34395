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
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The response as a blocking stream. Threads fill a borrowed buffer, and pass it to the loop when
/// it is full, flushed, or complete. A full buffer is posted, and the thread continues with another
/// one, up to [#BEHIND_MAX_BYTES]. Then it waits until the loop has room.
///
/// ```
///              buffer full, flush               end, close
///   OPEN ────────────────────────▶ COMMITTED ───────────────▶ ENDED
///     ├────────────────────── end, close ──────────────────────▶
///     └── interrupted, failed ──▶ BROKEN ◀── COMMITTED
/// ```
///
/// The state is a [StreamUse], since threads that the application started may use the stream while
/// its exchange ends. What the threads and the loop know of the buffer is in [SharedBuffer].
final class ContentOutput extends OutputStream {
    private static final int AS_GIVEN = -1;

    /// The bytes on their way to the loop after which a thread waits for room.
    private static final int BEHIND_MAX_BYTES = 32 << 10;

    /// Where the borrowed buffer is, as the loop sees it.
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
    private final boolean headAlone; // the request is HEAD
    private final StreamUse use = new StreamUse();
    private final SharedBuffer buffer = new SharedBuffer();
    private ResponseHead head = OK;
    private @Nullable Supplier<ResponseHead> headLater;
    private long counted; // bytes written, for HEAD
    private long wholeLength = AS_GIVEN; // of a response that ends uncommitted
    private Fields trailers = Fields.EMPTY;

    private @Nullable Throwable thrown; // by the sink
    private PostedWrites posted = PostedWrites.NONE; // before the first full buffer

    /// The calls of threads that wait; NONE until one does. Volatile: the loop sets `over` of the
    /// exchange and then reads this, and the thread sets this and then reads `over`.
    private volatile LoopCall loopCall = LoopCall.NONE;

    private ByteBuffer lent = NOTHING; // from begin until it is given back; then used by the loop
    private Loan loan = Loan.NONE; // used by the loop, like all below
    private boolean hasRoom = true;
    private boolean begun; // the sink received the head
    private boolean settled;

    /// Creates the stream, on the loop.
    ContentOutput(BlockingExchange exchange, EngineExchange x) {
        this.exchange = exchange;
        this.x = x;
        this.headAlone = x.request().method() == Method.HEAD;
    }

    /// Borrows the buffer, on the thread of the first handler, before the application knows the
    /// stream. A request that waits for its thread holds none.
    void begin() {
        if (buffer.capacity() == 0) { // a handler that continues the exchange has one already
            lent = x.lender().lend();
            buffer.begin(lent);
        }
    }

    @Override
    public void write(int b) throws IOException {
        boolean claimed = enter();
        if (headAlone) {
            counted++;
        } else {
            if (buffer.isFull()) {
                pushFull(claimed);
            }
            buffer.add((byte) b);
        }
        leave(claimed);
    }

    @Override
    public void write(byte[] from, int at, int length) throws IOException {
        Objects.checkFromIndexSize(at, length, from.length);
        boolean claimed = enter();
        if (headAlone) {
            counted += length;
        } else {
            put(from, at, at + length, claimed);
        }
        leave(claimed);
    }

    @Override
    public void flush() throws IOException {
        boolean claimed = enter();
        if (!use.has(StreamUse.COMMITTED) || buffer.filled() > 0) {
            push(claimed);
        }
        leave(claimed);
    }

    @Override
    public void close() {
        end(Fields.EMPTY);
    }

    void end(Fields last) {
        end(last, true);
    }

    /// Ends the response, if it has not ended.
    ///
    /// @param atOnce whether to post a command to the loop; if not, the loop finishes it by itself
    void end(Fields last, boolean atOnce) {
        if (use.has(StreamUse.ENDED | StreamUse.BROKEN)) {
            return;
        }
        if (!use.has(StreamUse.COMMITTED)) {
            takeHead();
        }
        int before = use.end();
        if ((before & (StreamUse.ENDED | StreamUse.BROKEN)) != 0) {
            return; // another thread was first
        }
        trailers = last;
        if ((before & StreamUse.COMMITTED) == 0) { // no call can commit it any more
            wholeLength = lengthOfAll();
        }
        if (atOnce) {
            exchange.execute(this::finish);
        }
    }

    void inform(Status interim, Fields fields) throws IOException {
        boolean claimed = enter();
        if (committed()) {
            leave(claimed);
            requireOpen();
        }
        ask(
                claimed,
                0,
                () -> {
                    x.response().inform(interim, fields);
                    loopCall.answer();
                });
        leave(claimed);
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
        if (buffer.filled() > 0 || counted > 0) {
            throw new IllegalStateException("Content was written already");
        }
        if (bytes > buffer.capacity()) {
            buffer.replace(new byte[bytes]);
        }
    }

    int bufferBytes() {
        return buffer.capacity();
    }

    boolean committed() {
        return use.has(StreamUse.COMMITTED | StreamUse.BROKEN | StreamUse.ENDED);
    }

    /// Returns whether nothing more can be written.
    boolean hasEnded() {
        return use.has(StreamUse.ENDED);
    }

    /// Returns whether the response has ended and is complete.
    boolean answered() {
        return (use.word() & (StreamUse.BROKEN | StreamUse.ENDED)) == StreamUse.ENDED;
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

    /// Ends the stream: no thread can write any more.
    void expire() {
        use.giveUp();
    }

    private boolean enter() throws IOException {
        exchange.check();
        return use.enter(exchange.isOwn());
    }

    private void leave(boolean claimed) {
        if (claimed) {
            use.leave();
        }
    }

    private void requireOpen() {
        if (committed()) {
            throw new IllegalStateException("The response is committed");
        }
    }

    private void put(byte[] from, int first, int end, boolean claimed) throws IOException {
        for (int i = first; i < end; ) {
            if (buffer.isFull()) {
                pushFull(claimed);
            }
            i += buffer.add(from, i, end - i);
        }
    }

    /// Makes later writes return without waiting.
    void withoutWaiting() {
        posted().withoutWaiting();
    }

    private PostedWrites posted() {
        if (posted == PostedWrites.NONE) {
            posted = new PostedWrites();
        }
        return posted;
    }

    /// Returns whether the writer may write without asking for room.
    boolean isReady() {
        return posted.isReady();
    }

    /// Runs `then` on the loop when there is room.
    void whenReady(Runnable then) {
        exchange.execute(() -> {
            if (exchange.isOver()) {
                return; // the callback for an abort reports that
            }
            sendPosted();
            if (hasRoom) {
                roomFor(then);
            } else {
                x.response().onWritable(() -> roomFor(then));
            }
        });
    }

    private void roomFor(Runnable then) {
        foundRoom();
        then.run();
    }

    private void foundRoom() {
        hasRoom = true;
        posted.room();
    }

    /// Sends the counted bytes. Waits for room, unless writes do not wait.
    private void push(boolean claimed) throws IOException {
        if (!use.has(StreamUse.COMMITTED)) {
            takeHead();
        }
        if (posted.waits()) {
            ask(claimed, StreamUse.COMMITTED, this::send);
        } else {
            post(claimed);
        }
    }

    /// Sends a full buffer. Waits only if much is on its way already.
    private void pushFull(boolean claimed) throws IOException {
        if (posted.waits() && posted.pendingBytes() + buffer.capacity() > BEHIND_MAX_BYTES) {
            push(claimed);
            return;
        }
        if (!use.has(StreamUse.COMMITTED)) {
            takeHead();
        }
        post(claimed);
    }

    /// Hands the counted bytes to the loop with their array, and continues with another array.
    private void post(boolean claimed) throws IOException {
        use.claimToAsk(claimed, StreamUse.COMMITTED);
        byte[] spare = x.lender().spare();
        buffer.post(
                posted(), buffer.capacity() > spare.length ? new byte[buffer.capacity()] : spare);
        exchange.execute(this::sendPosted);
        if (!claimed) {
            use.leave();
        }
    }

    /// Sends what was written without waiting. The end of the response may come before the command
    /// that was posted for it.
    private void sendPosted() {
        PostedWrites writes = posted;
        if (writes == PostedWrites.NONE || exchange.isOver()) {
            return;
        }
        Sink sink = x.response();
        for (ByteBuffer full = writes.poll(); full != null; full = writes.poll()) {
            if (!begun) {
                begun = true;
                sink.head(head);
                hasRoom = true;
            }
            if (full.hasRemaining()) {
                hasRoom = sink.write(new Body.Bytes(full, whenSent(full))) > 0;
            }
        }
        if (hasRoom) {
            writes.room();
        }
    }

    /// Returns what the sink runs when a posted buffer is free. It can be reused then, because the
    /// thread fills another one.
    @SuppressWarnings("ReferenceEquality") // equal buffers may have other arrays
    private Runnable whenSent(ByteBuffer full) {
        boolean borrowed = full == lent;
        if (borrowed) {
            lent = NOTHING;
        }
        return () -> reuse(full, borrowed);
    }

    /// Makes a buffer available to others. A buffer that another thread may still write into is left
    /// to the garbage collector.
    @SuppressWarnings("ByteBufferBackingArray") // each of them has its own
    private void reuse(ByteBuffer free, boolean borrowed) {
        boolean shared = use.has(StreamUse.SHARED);
        if (borrowed) {
            x.lender().giveBack(shared ? NOTHING : free);
        } else if (!shared) {
            x.lender().keep(free.array());
        }
    }

    /// Posts `step` to the loop, and waits for its answer. An IOException ends the call, and
    /// releases its claim on the stream. An Error leaves the stream claimed for good, because it is
    /// unknown how far the call got.
    private void ask(boolean claimed, int more, Runnable step) throws IOException {
        try {
            use.claimToAsk(claimed, more);
        } catch (IOException e) {
            leave(claimed);
            throw e;
        }
        try {
            if (loopCall == LoopCall.NONE) {
                loopCall = new LoopCall();
            }
            exchange.ask(loopCall, () -> answering(step));
            if (thrown != null) {
                throw new IOException("The engine failed to send the response", thrown);
            }
            if (!claimed) {
                use.leave();
            }
        } catch (IOException e) {
            use.breakOff();
            use.leave();
            throw e;
        }
    }

    private void takeHead() {
        if (headLater != null) {
            head = headLater.get();
            headLater = null;
        }
    }

    /// Returns the length of a complete response. If the response never has content, the length is
    /// that of GET (RFC 9110 §8.6), which only the application knows.
    private long lengthOfAll() {
        ResponseHead given = head;
        long length = headAlone ? counted : buffer.filled();
        boolean stays =
                given.contentLength() != ResponseHead.UNKNOWN_LENGTH
                        || trailers.size() > 0
                        || given.status().withoutContent()
                        || (headAlone && length == 0);
        return stays ? AS_GIVEN : length;
    }

    // For the loop

    /// Sends what the threads left, and ends the response.
    void finish() {
        if (exchange.isOver()) {
            return;
        }
        Sink sink = x.response();
        sendPosted();
        if (answered()) {
            if (!begun && wholeLength != AS_GIVEN) {
                head = head.withContentLength(wholeLength);
            }
            deliver(sink);
            if (!exchange.isOver()) {
                sink.end(trailers);
            }
        } else {
            sink.abort(Fault.SHUTDOWN); // a thread gave up waiting after an interrupt
        }
        exchange.ended();
    }

    /// Wakes the thread that waits, because the exchange was aborted.
    void lost() {
        loopCall.answer();
    }

    void settle() {
        use.giveUp();
        settled = true;
        giveBack();
    }

    /// Runs `step`, unless the thread has given up the call. The thread gets an answer in any case,
    /// so it does not wait for ever.
    private void answering(Runnable step) {
        if (!loopCall.isAsked()) {
            return;
        }
        if (exchange.isOver()) { // its connection may have begun another exchange
            loopCall.answer();
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
        sendPosted();
        deliver(x.response());
        proceed();
    }

    private void deliver(Sink sink) {
        if (!begun) {
            begun = true;
            sink.head(head);
        }
        ByteBuffer part = loan == Loan.NONE ? buffer.take(length()) : NOTHING; // or sent already
        if (part.hasRemaining()) {
            loan = Loan.GIVING;
            hasRoom = sink.write(new Body.Bytes(part, this::released)) > 0;
            if (loan == Loan.GIVING) {
                loan = Loan.GIVEN;
            }
        }
    }

    /// Returns the length that the head names for what is in the buffer, or AS_FILLED. The content
    /// has that length, even if another thread still writes.
    private int length() {
        return headAlone || wholeLength == AS_GIVEN ? SharedBuffer.AS_FILLED : (int) wholeLength;
    }

    /// Answers the call when the buffer is free and there is room for more.
    private void proceed() {
        if (loan == Loan.GIVEN || exchange.isOver()) {
            return;
        }
        if (hasRoom) {
            foundRoom();
            loopCall.answer();
        } else {
            hasRoom = true;
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

    /// Gives the buffers back, unless the sink still uses the last one.
    @SuppressWarnings("ReferenceEquality") // equal buffers may have other arrays
    private void giveBack() {
        if (loan == Loan.GIVEN) {
            return;
        }
        ByteBuffer borrowed = lent;
        ByteBuffer last = buffer.buffer();
        lent = NOTHING;
        buffer.drop();
        if (borrowed != NOTHING) {
            reuse(borrowed, true);
        }
        if (last != borrowed) {
            reuse(last, false);
        }
    }
}
