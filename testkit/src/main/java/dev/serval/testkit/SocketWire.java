package dev.serval.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/// A [Wire] over TCP. What the socket does not take waits in an array.
public final class SocketWire implements Wire {
    private static final int PENDING_MAX = 64 << 10;
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final long PAUSE_MILLIS = 5;

    private final SocketChannel channel;
    private final Selector selector;
    private final SelectionKey key;
    private byte[] pending = new byte[PENDING_MAX];
    private int pendingTo;
    private boolean ending;
    private boolean broken;
    private boolean closed;
    private long lastMoveNanos = System.nanoTime();

    private SocketWire(SocketChannel channel, Selector selector) throws IOException {
        this.channel = channel;
        this.selector = selector;
        channel.configureBlocking(false);
        this.key = channel.register(selector, 0);
    }

    /// Connects.
    public static SocketWire connect(SocketAddress address) {
        try {
            SocketChannel channel = SocketChannel.open(address);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            return new SocketWire(channel, Selector.open());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot connect to " + address, e);
        }
    }

    @Override
    public int room() {
        return broken || ending ? 0 : PENDING_MAX - pendingTo;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        if (broken || ending) {
            return; // the server is gone, and what it said before is still to be read
        }
        if (pendingTo + length > pending.length) {
            pending = Arrays.copyOf(pending, 2 * (pendingTo + length));
        }
        System.arraycopy(bytes, from, pending, pendingTo, length);
        pendingTo += length;
        flush();
    }

    @Override
    public int read(byte[] into) {
        try {
            int n = channel.read(ByteBuffer.wrap(into));
            if (n > 0) {
                moved();
            }
            return n < 0 ? END : n;
        } catch (IOException e) {
            broken = true;
            return RESET;
        }
    }

    @Override
    public boolean advance(boolean reads) {
        flush();
        int waiting = pendingTo > 0 && !broken ? SelectionKey.OP_WRITE : 0;
        try {
            key.interestOps(waiting | (reads ? SelectionKey.OP_READ : 0));
            selector.select(_ -> {}, PAUSE_MILLIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return System.nanoTime() - lastMoveNanos < PATIENCE_NANOS;
    }

    @Override
    public void end() {
        ending = true;
        flush();
    }

    @Override
    public void reset() {
        if (closed) {
            return;
        }
        try {
            selector.close();
            channel.configureBlocking(true);
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        close();
    }

    @Override
    public void close() {
        closed = true;
        try {
            selector.close();
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void flush() {
        try {
            ByteBuffer out = ByteBuffer.wrap(pending, 0, pendingTo);
            if (!broken && channel.write(out) > 0) {
                moved();
                System.arraycopy(pending, out.position(), pending, 0, out.remaining());
                pendingTo = out.remaining();
            }
            if (ending && pendingTo == 0 && !broken) {
                channel.shutdownOutput();
            }
        } catch (IOException e) {
            broken = true;
        }
    }

    private void moved() {
        lastMoveNanos = System.nanoTime();
    }
}
