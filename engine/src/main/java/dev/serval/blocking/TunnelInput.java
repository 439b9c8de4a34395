package dev.serval.blocking;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/// The bytes from the client of a [BlockingTunnel]. A thread takes bytes from the array. If it is
/// empty, the thread asks the loop to fill it. The lock lets in one thread at a time; the loop never
/// takes it.
///
/// The array belongs to the loop while it has been asked to fill it, and else to the thread. It is
/// no borrowed buffer, because application threads may keep the stream for ever.
final class TunnelInput extends InputStream {
    private static final int BUFFER_BYTES = 8 << 10;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final BlockingTunnel tunnel;
    private final ReentrantLock lock = new ReentrantLock();
    private final LoopCall loopCall = new LoopCall();
    private final Runnable fill = this::fill;
    private ByteBuffer buffer = NOTHING;
    private volatile int unread; // bytes in the buffer
    private volatile boolean ended; // the client has ended its direction, or the connection is lost
    private volatile boolean closed;
    private volatile boolean broken; // the loop may still fill the buffer

    TunnelInput(BlockingTunnel tunnel) {
        this.tunnel = tunnel;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int at, int most) throws IOException {
        Objects.checkFromIndexSize(at, most, into.length);
        lock.lock();
        try {
            if (most == 0 || !ready()) {
                return most == 0 ? 0 : -1;
            }
            int n = Math.min(most, buffer.remaining());
            buffer.get(into, at, n);
            unread = buffer.remaining();
            return n;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int available() throws IOException {
        requireOpen();
        return unread;
    }

    /// Leaves the rest unread. The tunnel is over after the other direction has ended too.
    @Override
    public void close() {
        closed = true;
        tunnel.execute(tunnel::endInput);
    }

    boolean isReady() {
        return unread > 0 || ended || closed || broken || tunnel.isOver();
    }

    boolean hasEnded() {
        return unread == 0 && ended;
    }

    private void requireOpen() throws IOException {
        if (closed) {
            throw new IOException("The stream was closed");
        }
        if (broken) {
            throw new IOException(
                    "A thread was interrupted within the stream, so it takes no more calls");
        }
    }

    /// Returns whether a byte is available, and waits until that is known.
    private boolean ready() throws IOException {
        requireOpen();
        if (buffer.hasRemaining()) {
            return true;
        }
        if (ended) {
            return false;
        }
        try {
            tunnel.ask(loopCall, fill);
        } catch (InterruptedIOException e) {
            broken = true;
            throw e;
        }
        if (ended) {
            return false;
        }
        if (unread == 0) {
            tunnel.check();
            throw new IOException("The engine failed to read from the client");
        }
        return true;
    }

    // For the loop

    private void fill() {
        if (loopCall.isAsked() && take(fill) != 0) {
            loopCall.answer();
        }
    }

    /// Reads ahead, and runs `then` when a read would not wait.
    void fillFor(Runnable then) {
        if (tunnel.isOver()) {
            return; // the callback for the end reports that
        }
        if (take(() -> fillFor(then)) != 0 && !tunnel.isOver()) {
            then.run();
        }
    }

    /// Records that the client has ended its direction.
    void foundEnd() {
        ended = true;
    }

    private int take(Runnable again) {
        if (buffer.capacity() == 0) {
            buffer = ByteBuffer.allocate(BUFFER_BYTES);
        }
        buffer.clear();
        int answer = tunnel.read(buffer, again);
        buffer.flip();
        unread = buffer.remaining();
        return answer;
    }

    /// Wakes the thread that waits, because the tunnel is over.
    void lost() {
        loopCall.answer();
    }
}
