package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The content of a request as a blocking stream. Threads take bytes from a borrowed buffer. If it
/// is empty, they post a command to the loop to fill it.
///
/// A [StreamUse] records which threads use the stream, and ends it. Threads see only the buffer's
/// array with `from` and `to`. Only the loop touches the buffer itself.
final class ContentInput extends InputStream implements IncomingContent {
    private static final byte[] NONE = {};
    private static final int SHORT_BYTES = 8 << 10; // as much as the usual buffer takes
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final BlockingExchange exchange;
    private final EngineExchange x;
    private final LoopCall loopCall = new LoopCall();
    private final Runnable fill = this::fill;
    private final long length; // or UNKNOWN_LENGTH
    private final StreamUse use = new StreamUse();
    private boolean complete; // all content was read
    private long filled; // bytes read from the source so far
    private byte[] array = NONE; // of the buffer
    private int from; // index of the next unread byte in array
    private int to; // end of the unread bytes
    private ByteBuffer buffer = NOTHING; // borrowed at the first read; used by the loop
    private boolean isLong; // the buffer is one of Lender.lendLong
    private int answer; // what the source returned
    private @Nullable Throwable thrown; // by the source
    private Fields trailers = Fields.EMPTY;

    /// Creates the stream, on the loop.
    ContentInput(BlockingExchange exchange, EngineExchange x) {
        this.exchange = exchange;
        this.x = x;
        this.length = x.request().contentLength();
    }

    @Override
    public int read() throws IOException {
        boolean claimed = enter();
        int b = -1;
        if (ready(claimed)) {
            b = array[from] & 0xff;
            from++;
        }
        leave(claimed);
        return b;
    }

    @Override
    public int read(byte[] into, int at, int most) throws IOException {
        Objects.checkFromIndexSize(at, most, into.length);
        boolean claimed = enter();
        int n = most == 0 ? 0 : -1;
        if (most > 0 && ready(claimed)) {
            int first = from;
            n = Math.min(most, to - first);
            System.arraycopy(array, first, into, at, n);
            from = first + n;
        }
        leave(claimed);
        return n;
    }

    @Override
    public int available() throws IOException {
        boolean claimed = enter();
        int n = to - from;
        leave(claimed);
        return n;
    }

    @Override
    public InputStream stream(BlockingExchange of) {
        return this;
    }

    @Override
    public boolean isReady() throws IOException {
        boolean claimed = enter();
        boolean ready = from < to || complete || filled == length;
        leave(claimed);
        return ready;
    }

    @Override
    public boolean hasEnded() throws IOException {
        boolean claimed = enter();
        boolean ended = from == to && (complete || filled == length);
        leave(claimed);
        return ended;
    }

    /// Reads ahead. The stream is in use until `then` runs.
    @Override
    public void whenReady(BlockingExchange of, Runnable then) throws IOException {
        use.claimToAsk(false, 0);
        exchange.execute(() -> fillFor(then));
    }

    /// Leaves unread content unread. The engine decides whether the connection continues.
    @Override
    public void close() {
        expire();
    }

    @Override
    public void expire() {
        use.giveUp();
    }

    @Override
    public Fields trailers() {
        return trailers;
    }

    private boolean enter() throws IOException {
        try {
            return use.enter(exchange.isOwn());
        } catch (IOException e) {
            exchange.check();
            throw e;
        }
    }

    private void leave(boolean claimed) {
        if (claimed) {
            use.leave();
        }
    }

    /// Returns whether a byte is available, and waits until that is known. An IOException ends the
    /// call, and releases its claim on the stream.
    private boolean ready(boolean claimed) throws IOException {
        if (from < to) {
            return true;
        }
        if (complete || filled == length) { // no loop call is needed
            complete = true;
            return false;
        }
        try {
            use.claimToAsk(claimed, 0);
        } catch (IOException e) {
            leave(claimed);
            throw e;
        }
        try {
            boolean more = await();
            if (!claimed) {
                use.leave();
            }
            return more;
        } catch (IOException e) {
            use.breakOff();
            use.leave();
            throw e;
        }
    }

    private boolean await() throws IOException {
        exchange.ask(loopCall, fill);
        if (answer == Source.FAILED) {
            throw new IOException("The exchange ended before all content was read", thrown);
        }
        count(answer);
        return answer > 0;
    }

    private void count(int n) {
        if (n == Source.END) {
            complete = true;
        } else {
            filled += n;
        }
    }

    // For the loop

    /// Reads the content that has arrived, up to a buffer, unless the client waits for `100
    /// Continue`. So the handler reads most small content without waiting.
    @Override
    public void begin() {
        RequestHead head = x.request();
        if (length > 0 && !head.expectsContinue()) {
            filled = Math.max(0, fromSource());
        }
    }

    @Override
    public void lost() {
        if (loopCall.isAsked()) {
            answer = Source.FAILED;
            loopCall.answer();
        }
    }

    @Override
    public void settle() {
        use.giveUp();
        giveBack();
    }

    private void giveBack() {
        ByteBuffer lent = buffer;
        boolean shared = use.has(StreamUse.SHARED);
        buffer = NOTHING;
        if (isLong) {
            isLong = false;
            x.lender().giveBackLong(lent, !shared);
        } else if (lent.capacity() > 0) {
            x.lender().giveBack(shared ? NOTHING : lent);
        }
    }

    private void fill() {
        if (!loopCall.isAsked()) {
            return;
        }
        try {
            answer = exchange.isOver() ? Source.FAILED : take(fill);
        } catch (RuntimeException | Error e) {
            thrown = e;
            lost();
            throw e;
        }
        if (answer == Source.FAILED) { // the abort follows, and the thread may be faster
            exchange.noteFault();
        }
        if (answer != 0) {
            loopCall.answer();
        }
    }

    private void fillFor(Runnable then) {
        if (exchange.isOver()) {
            return; // the callback for an abort reports that
        }
        int n = take(() -> fillFor(then));
        if (n == 0) {
            return;
        }
        if (n == Source.FAILED) {
            use.breakOff();
        } else {
            count(n);
        }
        use.leave();
        then.run();
    }

    /// @return what the source returned; if 0, the loop calls `again`
    private int take(Runnable again) {
        int n = fromSource();
        if (n == 0) {
            x.content().onReadable(again);
        } else if (n == Source.END) {
            Fields last = x.content().trailers();
            trailers = last.size() == 0 ? Fields.EMPTY : new Fields().addAll(last);
        }
        return n;
    }

    /// Fills the buffer.
    private int fromSource() {
        from = 0;
        to = 0;
        borrow(x.content().available() > SHORT_BYTES);
        int n = x.content().read(buffer.clear());
        to = Math.max(0, n);
        return n;
    }

    /// Borrows a buffer for what is read next. One for long content is kept only until its bytes are
    /// used, and not while the thread waits for the client.
    @SuppressWarnings("ByteBufferBackingArray") // borrowed buffers have their own array
    private void borrow(boolean much) {
        if (isLong != much) {
            @Nullable ByteBuffer other = much ? x.lender().lendLong() : NOTHING;
            if (other != null) {
                giveBack();
                buffer = other;
                isLong = much;
            }
        }
        if (buffer.capacity() == 0) {
            buffer = x.lender().lend();
        }
        array = buffer.array();
    }
}
