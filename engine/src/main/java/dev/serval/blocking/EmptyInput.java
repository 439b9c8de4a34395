package dev.serval.blocking;

import java.io.IOException;
import java.io.InputStream;

/// The stream of a request without content. It is at its end, and throws after its response ended.
/// Any thread.
final class EmptyInput extends InputStream {
    private final BlockingExchange exchange;
    private volatile boolean closed;

    EmptyInput(BlockingExchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public int read() throws IOException {
        requireOpen();
        return -1;
    }

    @Override
    public int read(byte[] into, int at, int most) throws IOException {
        requireOpen();
        return super.read(into, at, most);
    }

    @Override
    public int available() throws IOException {
        requireOpen();
        return 0;
    }

    @Override
    public void close() {
        closed = true;
    }

    private void requireOpen() throws IOException {
        if (closed || exchange.hasEnded()) {
            throw new IOException("The stream was closed, or its exchange has ended");
        }
    }
}
