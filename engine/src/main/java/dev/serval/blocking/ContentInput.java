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

/// The content of a request as a stream that waits: threads take bytes from a lent buffer, and ask
/// the loop to fill it when it is empty.
///
/// A [StreamUse] says which threads use it, and ends it. Threads see only the buffer's array with
/// `from` and `to`; only the loop touches the buffer itself.
final class ContentInput extends InputStream {
    /// Bytes of content up to which it is read before the thread starts.
    private static final long AT_ONCE_MAX = 8 << 10;

    private static final byte[] NONE = {};
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final BlockingExchange exchange;
    private final EngineExchange x;
    private final LoopCall loopCall = new LoopCall();
    private final Runnable fill = this::fill;
    private final long length; // or UNKNOWN_LENGTH
    private final StreamUse use = new StreamUse();
    private boolean complete; // all was read
    private long filled; // bytes that were in the buffer
    private byte[] array = NONE; // the buffer's
    private int from; // bytes in the array
    private int to;
    private @Nullable ByteBuffer buffer; // lent, from the first time it is needed; the loop's
    private int answer; // of the source
    private @Nullable Throwable thrown; // by the source
    private Fields trailers = Fields.EMPTY;

    /// On the loop.
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

    /// What is left unread stays unread; whether the connection goes on then is the engine's matter.
    @Override
    public void close() {
        expire();
    }

    /// Nothing is read any more.
    void expire() {
        use.giveUp();
    }

    Fields trailers() {
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

    /// Whether there is a byte to take; waits until that is known. An IOException ends the call,
    /// which then has not claimed the stream any more.
    private boolean ready(boolean claimed) throws IOException {
        if (from < to) {
            return true;
        }
        if (complete || filled == length) { // all of it was here: nobody needs to be asked
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
        int n = answer;
        if (n == Source.END) {
            complete = true;
        } else if (n == Source.FAILED) {
            throw new IOException("The content cannot be read: the exchange has ended", thrown);
        } else {
            filled += n;
        }
        return n > 0;
    }

    // The loop's

    /// Takes what is here, where that is likely to be all and the client was not told to wait: most
    /// content that is small is read without waiting then.
    void begin() {
        RequestHead head = x.request();
        if (length > 0 && length <= AT_ONCE_MAX && !head.expectsContinue()) {
            filled = Math.max(0, fromSource());
        }
    }

    /// The exchange is over: whoever waits for content is told.
    void lost() {
        if (loopCall.isAsked()) {
            answer = Source.FAILED;
            loopCall.answer();
        }
    }

    void settle() {
        use.giveUp();
        @Nullable ByteBuffer lent = buffer;
        buffer = null;
        if (lent != null) {
            x.giveBack(use.has(StreamUse.SHARED) ? NOTHING : lent);
        }
    }

    private void fill() {
        if (!loopCall.isAsked()) {
            return;
        }
        try {
            answer = exchange.isOver() ? Source.FAILED : take();
        } catch (RuntimeException | Error e) {
            thrown = e;
            lost();
            throw e;
        }
        if (answer != 0) {
            loopCall.answer();
        }
    }

    /// @return what the source says; if 0, the loop calls again
    private int take() {
        int n = fromSource();
        if (n == 0) {
            x.content().onReadable(fill);
        } else if (n == Source.END) {
            Fields behind = x.content().trailers();
            trailers = behind.size() == 0 ? Fields.EMPTY : new Fields().addAll(behind);
        }
        return n;
    }

    /// Fills the buffer.
    @SuppressWarnings("ByteBufferBackingArray") // what is lent has an array of its own
    private int fromSource() {
        @Nullable ByteBuffer into = buffer;
        if (into == null) {
            into = x.lend();
            buffer = into;
            array = into.array();
        }
        from = 0;
        to = 0;
        int n = x.content().read(into.clear());
        to = Math.max(0, n);
        return n;
    }
}
