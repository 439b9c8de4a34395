package dev.serval.blocking;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.RequestHead;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The content of a request as a stream that waits: the thread takes bytes from a lent buffer, and
/// asks the loop to fill it when it is empty.
///
/// ```
///   OPEN ── all was read ──▶ ENDED ── close ──▶ CLOSED
///     ├───────────────── close ─────────────────▶
///     └── interrupted, failed ──▶ BROKEN
/// ```
///
/// The state is the thread's. The buffer is the thread's, and the loop's while it is asked.
final class ContentInput extends InputStream {
    private enum State {
        OPEN,
        ENDED,
        BROKEN,
        CLOSED
    }

    /// Bytes of content up to which it is read before the thread starts.
    private static final long AT_ONCE_MAX = 8 << 10;

    private final BlockingExchange exchange;
    private final EngineExchange x;
    private final LoopCall loopCall = new LoopCall();
    private final Runnable fill = this::fill;
    private final long length; // or UNKNOWN_LENGTH
    private State state = State.OPEN;
    private long filled; // bytes that were in the buffer
    private @Nullable ByteBuffer buffer; // lent, from the first time it is needed
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
        return ready() ? present().get() & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int at, int most) throws IOException {
        Objects.checkFromIndexSize(at, most, into.length);
        if (most == 0) {
            return 0;
        }
        if (!ready()) {
            return -1;
        }
        ByteBuffer from = present();
        int n = Math.min(most, from.remaining());
        from.get(into, at, n);
        return n;
    }

    @Override
    public int available() {
        @Nullable ByteBuffer from = buffer;
        return state == State.OPEN && from != null ? from.remaining() : 0;
    }

    /// What is left unread stays unread; whether the connection goes on then is the engine's matter.
    @Override
    public void close() {
        if (state != State.BROKEN) {
            state = State.CLOSED;
        }
    }

    Fields trailers() {
        return trailers;
    }

    /// Whether there is a byte to take; waits until that is known.
    private boolean ready() throws IOException {
        switch (state) {
            case OPEN -> {}
            case ENDED -> {
                return false;
            }
            case BROKEN -> {
                exchange.check();
                throw new IOException(
                        "The content cannot be read any more: an earlier read failed");
            }
            case CLOSED -> throw new IOException("The content was closed");
        }
        @Nullable ByteBuffer from = buffer;
        if (from != null && from.hasRemaining()) {
            return true;
        }
        if (filled == length) { // all of it was here: nobody needs to be asked
            state = State.ENDED;
            return false;
        }
        return await();
    }

    private boolean await() throws IOException {
        try {
            exchange.ask(loopCall, fill);
        } catch (ExchangeAbortedException | InterruptedIOException e) {
            state = State.BROKEN;
            throw e;
        }
        int n = answer;
        if (n == Source.END) {
            state = State.ENDED;
        } else if (n == Source.FAILED) {
            state = State.BROKEN;
            throw new IOException("The content cannot be read: the exchange has ended", thrown);
        } else {
            filled += n;
        }
        return n > 0;
    }

    private ByteBuffer present() {
        return Objects.requireNonNull(buffer);
    }

    // The loop's

    /// Takes what is here, where that is likely to be all and the client was not told to wait: most
    /// content that is small is read without waiting then.
    void begin() {
        RequestHead head = x.request();
        if (length > 0 && length <= AT_ONCE_MAX && !head.expectsContinue()) {
            ByteBuffer into = x.lend();
            buffer = into;
            filled = Math.max(0, x.content().read(into));
            into.flip();
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
        @Nullable ByteBuffer lent = buffer;
        buffer = null;
        if (lent != null) {
            x.giveBack(lent);
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
        @Nullable ByteBuffer into = buffer;
        if (into == null) {
            into = x.lend();
            buffer = into;
        }
        int n = x.content().read(into.clear());
        into.flip();
        if (n == 0) {
            x.content().onReadable(fill);
        } else if (n == Source.END) {
            Fields behind = x.content().trailers();
            trailers = behind.size() == 0 ? Fields.EMPTY : new Fields().addAll(behind);
        }
        return n;
    }
}
