package dev.serval.servlet.request;

import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/// The content of a response as an application writes it.
///
/// ```
///   OPEN ── sendError, sendRedirect ──▶ DISCARDING ── reset ──▶ OPEN
///     └──── close ──▶ CLOSED
/// ```
final class ServletOutput extends ServletOutputStream {
    private enum State {
        OPEN,
        DISCARDING, // another component writes the response
        CLOSED
    }

    private final OutputStream content;
    private final ServletExchange exchange;
    private State state = State.OPEN;
    private long written;
    private volatile boolean listens; // a WriteListener is set

    ServletOutput(OutputStream content, ServletExchange exchange) {
        this.content = content;
        this.exchange = exchange;
    }

    @Override
    public void write(int b) throws IOException {
        if (mayWrite(1)) {
            content.write(b);
            written(1);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, bytes.length);
        if (mayWrite(length)) {
            content.write(bytes, from, length);
            written(length);
        }
    }

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        if (bytes.hasArray()) {
            write(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            bytes.position(bytes.limit());
        } else {
            byte[] copy = new byte[bytes.remaining()];
            bytes.get(copy);
            write(copy, 0, copy.length);
        }
    }

    @Override
    public void flush() throws IOException {
        exchange.lifetime().check();
        if (state == State.OPEN) {
            requireReady();
            content.flush();
        }
    }

    /// Sends what was written, without a wait if a WriteListener is set.
    void send() throws IOException {
        exchange.lifetime().check();
        if (state == State.OPEN) {
            content.flush();
        }
    }

    /// Ends the response. In an included servlet it only flushes nothing: the including code goes
    /// on writing (Servlet 6.1 §9.3).
    @Override
    public void close() throws IOException {
        if (state != State.OPEN || exchange.response().isIncluding()) {
            return;
        }
        if (listens) {
            state = State.CLOSED; // the response ends with the asynchronous processing
            return;
        }
        state = State.CLOSED;
        exchange.endResponse();
    }

    @Override
    public boolean isReady() {
        return !listens || exchange.async().isReadyToWrite();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        Objects.requireNonNull(listener, "the WriteListener");
        if (listens) {
            throw new IllegalStateException("The response has a WriteListener already");
        }
        listens = true; // first, because another thread may call the listener at once
        try {
            exchange.async().write(listener);
        } catch (RuntimeException | Error e) {
            listens = false;
            throw e;
        }
    }

    /// Returns whether the application has closed the stream.
    boolean isClosed() {
        return state == State.CLOSED;
    }

    /// Returns the length of a response of which nothing is committed; -1 if it never has content,
    /// or for HEAD if the application has left the content out (RFC 9110 §8.6).
    long lengthSoFar() {
        boolean none = Status.of(exchange.response().getStatus()).withoutContent();
        boolean unknown = written == 0 && exchange.request().getMethod().equals("HEAD");
        return none || unknown ? ResponseHead.UNKNOWN_LENGTH : written;
    }

    /// Drops what is written from now on.
    void discard() {
        if (state == State.OPEN) {
            state = State.DISCARDING;
        }
    }

    /// Accepts content again, after the buffer was cleared. The new content comes from other code,
    /// which knows nothing of a WriteListener.
    void reopen() {
        state = State.OPEN;
        written = 0;
        listens = false;
    }

    /// Forgets what was written, because the buffer was cleared.
    void cleared() {
        written = 0;
    }

    private boolean mayWrite(int length) throws IOException {
        exchange.lifetime().check();
        return switch (state) {
            case OPEN -> {
                requireReady();
                yield length > 0;
            }
            case DISCARDING -> false;
            case CLOSED -> throw new IOException("The response was closed");
        };
    }

    /// Without this, an application that ignores `isReady` would fill the memory (Servlet 6.1 §5.7).
    private void requireReady() {
        if (listens && !exchange.async().mayWrite()) {
            throw new IllegalStateException(
                    "A write would wait: call it only after isReady returned true (Servlet 6.1"
                            + " §5.7)");
        }
    }

    /// Ends the response when it has the promised length (Servlet 6.1 §5.7).
    private void written(int length) throws IOException {
        written += length;
        AppResponse response = exchange.response();
        if (written == response.promisedLength()
                && !response.isCommitted()
                && exchange.hasStoredSessions()) {
            content.flush();
        }
    }
}
