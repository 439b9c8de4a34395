package dev.serval.servlet.request;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/// The content of a request as an application reads it.
final class ServletInput extends ServletInputStream {
    private final InputStream content;
    private final ServletExchange exchange;
    private final boolean inMemory; // the loop knows nothing of it
    private boolean finished; // the end was read
    private volatile boolean listens; // a ReadListener is set

    ServletInput(InputStream content, ServletExchange exchange, boolean inMemory) {
        this.content = content;
        this.exchange = exchange;
        this.inMemory = inMemory;
    }

    @Override
    public int read() throws IOException {
        exchange.lifetime().check();
        requireReady();
        int b = content.read();
        if (b < 0) {
            foundEnd();
        }
        return b;
    }

    @Override
    public int read(byte[] into, int at, int most) throws IOException {
        exchange.lifetime().check();
        requireReady();
        int n = content.read(into, at, most);
        if (n < 0) {
            foundEnd();
        }
        return n;
    }

    @Override
    public int available() throws IOException {
        exchange.lifetime().check();
        return content.available();
    }

    @Override
    public void close() throws IOException {
        finished = true;
        content.close();
    }

    @Override
    public boolean isFinished() {
        boolean ended = isEndKnown();
        if (ended && listens) {
            exchange.async().readEndFound();
        }
        return ended;
    }

    /// Returns whether all content was read, without telling the ReadListener.
    boolean isEndKnown() {
        return finished || (listens && isKnownToEnd());
    }

    private void foundEnd() {
        finished = true;
        if (listens) {
            exchange.async().readEndFound();
        }
    }

    /// Returns whether all content was read, as far as is known without waiting.
    boolean hasEnded() throws IOException {
        return inMemory ? content.available() == 0 : exchange.engine().contentEnded();
    }

    /// Returns whether the last byte of the content was read, so that a listener need not read on.
    private boolean isKnownToEnd() {
        try {
            return hasEnded();
        } catch (IOException e) { // the loop reads, or the exchange was aborted
            return false;
        }
    }

    @Override
    public boolean isReady() {
        return !listens || finished || exchange.async().mayRead();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        Objects.requireNonNull(listener, "the ReadListener");
        if (listens) {
            throw new IllegalStateException("The request has a ReadListener already");
        }
        listens = true; // first, because another thread may call the listener at once
        try {
            exchange.async().read(listener);
        } catch (RuntimeException | Error e) {
            listens = false;
            throw e;
        }
    }

    /// Records that the content has ended, as the loop found out.
    void finish() {
        finished = true;
    }

    private void requireReady() {
        if (listens && !exchange.async().mayRead()) {
            throw new IllegalStateException(
                    "A read would wait: call it only after isReady returned true (Servlet 6.1"
                            + " §3.7)");
        }
    }
}
