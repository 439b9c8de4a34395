package dev.serval.exchange;

import dev.serval.coding.CodedHead;
import dev.serval.coding.Compression;
import dev.serval.coding.GzipStream;
import dev.serval.handler.Body;
import dev.serval.handler.Fault;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.policy.Counter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Compresses the content of a response before the port of the protocol gets it. One instance serves
/// the responses of an exchange in turn, those that are compressed.
///
/// ```
///   GATHERING ── enough content, or the end of the turn ──▶ CODING ── end ──▶ IDLE
///       │                           └─ no compressor is free ─▶ PLAIN ── end ──▶
///       └── end ──▶ IDLE
/// ```
///
/// - Content of unknown length waits until it is worth compressing. If it ends before, it is sent as it
///   is, with its length. Neither it nor its head waits longer than a turn.
/// - What was written in a turn can be read by the client after the turn, so events and long polls
///   arrive at once.
/// - Up to [#STEP_BYTES] are compressed in a turn, so that no response keeps the loop from others. Pieces
///   are compressed as they are written. What is longer, and what comes later in the turn, waits here,
///   and one step is taken in each turn. Meanwhile there is no room for more ([#isBehind]).
///
/// Owned by the loop.
final class GzipPort implements ResponsePort {
    private enum Mode {
        IDLE,
        GATHERING,
        CODING,
        PLAIN
    }

    /// The most content that is compressed in a turn; it takes a fraction of a millisecond.
    static final int STEP_BYTES = 64 << 10;

    private final ServerExchange exchange;
    private final ServerSink sink;
    private final ResponsePort port;
    private final Runnable step = this::step;
    private Mode mode = Mode.IDLE;
    private Compression compression = Compression.OFF;
    private @Nullable ResponseHead head; // while it gathers
    private @Nullable ByteBuffer gathered;
    private @Nullable GzipStream stream; // while it codes, if there is content
    private @Nullable ByteBuffer out; // compressed bytes that were not passed on
    private boolean dirty; // content was compressed since the last flush
    private final ArrayDeque<Body> pending = new ArrayDeque<>();
    private long pendingAt; // in the first of them
    private boolean stepAsked;
    private long turn; // of the loop, in which content was compressed last
    private int turnBytes; // of content that was compressed in it
    private Fields trailers = Fields.EMPTY; // of a response that ends later
    private Ending ending = Ending.WHOLE; // likewise
    private long sent;

    /// @param sink is told when the content that waits here is compressed
    GzipPort(ServerExchange exchange, ServerSink sink, ResponsePort port) {
        this.exchange = exchange;
        this.sink = sink;
        this.port = port;
    }

    /// Starts a response that is to be compressed.
    void begin(Compression how) {
        compression = how;
        mode = Mode.GATHERING;
        stepAsked = false;
        sent = 0;
    }

    /// Returns whether content waits to be compressed.
    boolean isBehind() {
        return !pending.isEmpty();
    }

    /// Returns what [ServerExchange#writable] must call while content waits.
    Runnable stepper() {
        return step;
    }

    /// Returns the bytes of content that were passed on.
    long sent() {
        return sent;
    }

    /// Keeps how the response ends, until [#endNow].
    void endLater(Fields last, Ending how) {
        trailers = last;
        ending = how;
    }

    /// Ends the response as [#endLater] said.
    void endNow() {
        end(trailers, ending, false);
    }

    /// Returns the bytes of memory that the compressor takes.
    long compressorBytes() {
        return stream == null ? 0 : GzipStream.MEMORY_BYTES;
    }

    /// Releases everything, because the response is over.
    void close() {
        mode = Mode.IDLE;
        head = null;
        dirty = false;
        gathered = givenBack(gathered);
        out = givenBack(out);
        @Nullable GzipStream mine = stream;
        if (mine != null) {
            stream = null;
            exchange.service().exchanges().gzips().giveBack(mine);
            exchange.lender().hold(-GzipStream.MEMORY_BYTES);
        }
        while (!pending.isEmpty()) {
            pending.removeFirst().release();
        }
        pendingAt = 0;
        trailers = Fields.EMPTY;
    }

    private @Nullable ByteBuffer givenBack(@Nullable ByteBuffer buffer) {
        if (buffer != null) {
            exchange.lender().giveBack(buffer);
        }
        return null;
    }

    // ResponsePort

    @Override
    public boolean interim(Status status, Fields fields) {
        return port.interim(status, fields);
    }

    @Override
    public void head(ResponseHead first, boolean suppressed) {
        head = first;
        if (suppressed) {
            mode = Mode.CODING;
            sendHead(CodedHead.gzip(first), true);
        } else if (first.contentLength() != ResponseHead.UNKNOWN_LENGTH) {
            start(first);
        } else {
            askStep(); // the head does not wait for content that comes later
        }
    }

    @Override
    public void content(Body part) {
        if (mode == Mode.GATHERING && !gathers(part)) {
            startGathered();
        }
        switch (mode) {
            case CODING -> code(part);
            case PLAIN -> pass(part);
            case GATHERING -> {
                gather((Body.Bytes) part);
                askStep();
            }
            case IDLE -> part.release();
        }
    }

    @Override
    public @Nullable ByteBuffer direct() {
        return null;
    }

    @Override
    public void end(Fields last, Ending how, boolean suppressed) {
        switch (mode) {
            case GATHERING -> endGathered(last, how);
            case CODING -> {
                if (stream != null && how != Ending.SHORT) {
                    finish(stream);
                } else if (stream != null) {
                    flush(stream);
                }
                port.end(last, how, suppressed);
            }
            case PLAIN, IDLE -> port.end(last, how, suppressed);
        }
        close();
    }

    @Override
    public void reset() {
        close();
        port.reset();
    }

    @Override
    public void upgrade(ResponseHead answer) {
        port.upgrade(answer);
    }

    @Override
    public long room() {
        return isBehind() ? Math.min(0, port.room()) : port.room();
    }

    @Override
    public void wantWritable() {
        if (port.room() <= 0) { // otherwise the next step tells the sink
            port.wantWritable();
        }
    }

    // Gathering

    private boolean gathers(Body part) {
        long before = gathered == null ? 0 : gathered.position();
        return part instanceof Body.Bytes
                && before + part.length() < compression.minBytes()
                && part.length() <= (gathered == null ? gatheringBuffer() : gathered).remaining();
    }

    private ByteBuffer gatheringBuffer() {
        ByteBuffer buffer = exchange.lender().lend();
        gathered = buffer;
        return buffer;
    }

    private void gather(Body.Bytes part) {
        if (gathered != null) {
            gathered.put(part.buffer().duplicate());
        }
        part.release();
    }

    private void startGathered() {
        @Nullable ResponseHead first = head;
        if (first != null) {
            start(first);
        }
        @Nullable ByteBuffer content = gathered;
        gathered = null;
        if (content != null && content.position() == 0) {
            exchange.lender().giveBack(content); // not even the first piece fitted
        } else if (content != null) {
            content(new Body.Bytes(content.flip(), () -> exchange.lender().giveBack(content)));
        }
    }

    /// Sends content that was not worth compressing.
    private void endGathered(Fields last, Ending how) {
        @Nullable ResponseHead first = head;
        @Nullable ByteBuffer content = gathered;
        gathered = null;
        int length = content == null ? 0 : content.position();
        boolean exact = how == Ending.WHOLE && last.size() == 0;
        if (first != null) {
            ResponseHead varied = CodedHead.varied(first);
            sendHead(exact ? varied.withContentLength(length) : varied, false);
        }
        if (content != null) {
            pass(new Body.Bytes(content.flip(), () -> exchange.lender().giveBack(content)));
        }
        port.end(last, how, false);
    }

    private void start(ResponseHead first) {
        head = null;
        int most = exchange.service().limits().buffers().compressorsMax();
        stream = exchange.service().exchanges().gzips().take(compression.answerLevel(), most);
        if (stream == null) {
            exchange.service().metrics().count(Counter.COMPRESSIONS_SKIPPED);
            mode = Mode.PLAIN;
            sendHead(CodedHead.varied(first), false);
        } else {
            exchange.service().metrics().count(Counter.RESPONSES_COMPRESSED);
            exchange.lender().hold(GzipStream.MEMORY_BYTES);
            mode = Mode.CODING;
            sendHead(CodedHead.gzip(first), false);
        }
    }

    private void sendHead(ResponseHead made, boolean suppressed) {
        sink.sent(made);
        port.head(made, suppressed);
    }

    // Coding

    private void code(Body part) {
        boolean small = part instanceof Body.Bytes && part.length() <= STEP_BYTES;
        @Nullable GzipStream mine = stream;
        if (mine == null) {
            part.release(); // content of an answer to HEAD
        } else if (small && pending.isEmpty() && part.length() <= leftInTurn()) {
            compress(mine, ((Body.Bytes) part).buffer().duplicate());
            part.release();
        } else if (small) {
            // Its writer may use the buffer again as soon as this method returns.
            ByteBuffer from = ((Body.Bytes) part).buffer().duplicate();
            byte[] copy = new byte[from.remaining()];
            from.get(copy);
            pending.addLast(Body.Bytes.of(copy));
            part.release();
        } else {
            pending.addLast(part);
        }
        askStep();
    }

    /// Returns how much more content may be compressed in this turn of the loop.
    private int leftInTurn() {
        long now = exchange.service().exchanges().loop().turns();
        if (now != turn) {
            turn = now;
            turnBytes = 0;
        }
        return STEP_BYTES - turnBytes;
    }

    private void compress(GzipStream mine, ByteBuffer content) {
        dirty = true;
        turnBytes += content.remaining();
        mine.take(content);
        while (mine.put(outBuffer(), false)) {
            passOut();
        }
    }

    private void flush(GzipStream mine) {
        if (dirty) {
            dirty = false;
            while (mine.put(outBuffer(), true)) {
                passOut();
            }
        }
        passOut();
    }

    private void finish(GzipStream mine) {
        while (mine.finish(outBuffer())) {
            passOut();
        }
        passOut();
    }

    private ByteBuffer outBuffer() {
        @Nullable ByteBuffer present = out;
        if (present == null) {
            present = exchange.lender().lend();
            out = present;
        }
        return present;
    }

    private void passOut() {
        @Nullable ByteBuffer full = out;
        out = null;
        if (full != null && full.position() > 0) {
            pass(new Body.Bytes(full.flip(), () -> exchange.lender().giveBack(full)));
        } else {
            givenBack(full);
        }
    }

    private void pass(Body part) {
        sent += part.length();
        port.content(part);
    }

    // Steps

    private void askStep() {
        if (!stepAsked) {
            stepAsked = true;
            exchange.later(step);
        }
    }

    /// Runs once after each turn that has written something, and when there is room again.
    private void step() {
        if (mode == Mode.GATHERING) {
            startGathered(); // while this step is still asked for, so that it asks for no other
        }
        stepAsked = false;
        @Nullable GzipStream mine = stream;
        if (mine == null) {
            return;
        }
        boolean behind = isBehind();
        if (behind && !takeStep(mine)) {
            exchange.giveUp(Fault.APPLICATION);
        } else if (isBehind()) {
            waitForStep();
        } else {
            if (behind) {
                sink.caughtUp(); // which may write more, or end the response
            }
            if (mine.equals(stream) && !stepAsked) {
                flush(mine);
            }
        }
    }

    private void waitForStep() {
        if (port.room() > 0) {
            askStep();
        } else {
            port.wantWritable();
            exchange.port().rearm();
        }
    }

    /// Compresses what waits, up to [#STEP_BYTES] in a turn, while there is room.
    ///
    /// @return false if content cannot be read
    private boolean takeStep(GzipStream mine) {
        int left = leftInTurn();
        while (left > 0 && port.room() > 0 && !pending.isEmpty()) {
            Body part = pending.getFirst();
            int n = (int) Math.min(left, part.length() - pendingAt);
            @Nullable ByteBuffer piece = read(part, pendingAt, n);
            if (piece == null) {
                return false;
            }
            compress(mine, piece);
            left -= n;
            pendingAt += n;
            if (pendingAt == part.length()) {
                pendingAt = 0;
                pending.removeFirst();
                part.release();
            }
        }
        return true;
    }

    /// Returns a piece of content, or null if it cannot be read. A file comes from a spool, which this
    /// process has just written, so that reading it does not wait for the disk.
    private static @Nullable ByteBuffer read(Body part, long at, int bytes) {
        if (part instanceof Body.Bytes all) {
            ByteBuffer piece = all.buffer().duplicate();
            int from = piece.position() + (int) at;
            return piece.limit(from + bytes).position(from);
        }
        ByteBuffer into = ByteBuffer.allocate(bytes);
        try {
            int n = 0;
            while (n >= 0 && into.hasRemaining()) {
                n = readFrom(part, at, into);
            }
        } catch (IOException e) {
            return null; // the response is aborted, and the exchange tells its handler
        }
        return into.hasRemaining() ? null : into.flip();
    }

    private static int readFrom(Body part, long at, ByteBuffer into) throws IOException {
        if (part instanceof Body.FileRegion region) {
            @Nullable BooleanSupplier intact = region.intact();
            boolean changed = at > 0 && intact != null && !intact.getAsBoolean();
            return changed
                    ? -1
                    : region.file().read(into, region.position() + at + into.position());
        }
        return part instanceof Body.Held held ? held.source().read(into) : -1;
    }
}
