package dev.serval.blocking;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The bytes to the client of a [BlockingTunnel]. A thread fills an array, hands it to the loop when
/// it is full or flushed, and continues with another one. The lock lets in one thread at a time; the
/// loop never takes it.
final class TunnelOutput extends OutputStream {
    private static final int BUFFER_BYTES = 8 << 10;
    private static final byte[] NONE = {};

    private final BlockingTunnel tunnel;
    private final ReentrantLock lock = new ReentrantLock();
    private final LoopCall loopCall = new LoopCall();
    private byte[] array = NONE;
    private int count; // bytes in the array
    private volatile boolean closed;
    private boolean broken; // a thread was interrupted: bytes are missing
    private volatile PostedWrites posted = PostedWrites.NONE; // if writes wait
    private boolean hasRoom = true; // used by the loop

    TunnelOutput(BlockingTunnel tunnel) {
        this.tunnel = tunnel;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int at, int length) throws IOException {
        Objects.checkFromIndexSize(at, length, from.length);
        lock.lock();
        try {
            requireOpen();
            int end = at + length;
            for (int i = at; i < end; ) {
                if (array.length == 0) {
                    array = new byte[BUFFER_BYTES];
                }
                int n = Math.min(array.length - count, end - i);
                System.arraycopy(from, i, array, count, n);
                count += n;
                i += n;
                if (count == array.length) {
                    push();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void flush() throws IOException {
        lock.lock();
        try {
            requireOpen();
            push();
        } finally {
            lock.unlock();
        }
    }

    /// Ends this direction after all bytes written so far.
    @Override
    public void close() {
        finish();
        tunnel.execute(tunnel::endOutput);
    }

    /// Posts what was written, without waiting, and takes nothing more. If another thread is inside
    /// a call, what that thread writes is lost.
    void finish() {
        closed = true;
        if (!lock.tryLock()) {
            return;
        }
        try {
            if (count > 0 && !broken) {
                ByteBuffer last = taken();
                tunnel.execute(() -> {
                    boolean _ = tunnel.write(last);
                });
            }
        } finally {
            lock.unlock();
        }
    }

    void withoutWaiting() {
        PostedWrites writes = new PostedWrites();
        writes.withoutWaiting();
        posted = writes;
    }

    boolean isReady() {
        return closed || tunnel.isOver() || posted.isReady();
    }

    private void requireOpen() throws IOException {
        tunnel.check();
        if (closed) {
            throw new IOException("The stream was closed");
        }
        if (broken) {
            throw new IOException(
                    "A thread was interrupted within the stream, so it takes no more calls");
        }
    }

    private ByteBuffer taken() {
        ByteBuffer full = ByteBuffer.wrap(array, 0, count);
        array = NONE;
        count = 0;
        return full;
    }

    private void push() throws IOException {
        if (count == 0) {
            return;
        }
        ByteBuffer full = taken();
        PostedWrites writes = posted;
        if (!writes.waits()) {
            writes.add(full, full.limit());
            tunnel.execute(() -> sendPosted(writes));
            return;
        }
        try {
            tunnel.ask(loopCall, () -> send(full));
        } catch (InterruptedIOException e) {
            broken = true;
            throw e;
        }
        tunnel.check();
    }

    // For the loop

    private void send(ByteBuffer full) {
        if (!loopCall.isAsked()) {
            return;
        }
        if (tunnel.write(full)) {
            loopCall.answer();
        } else {
            tunnel.onRoom(loopCall::answer);
        }
    }

    private void sendPosted(PostedWrites writes) {
        for (@Nullable ByteBuffer full = writes.poll(); full != null; full = writes.poll()) {
            hasRoom = tunnel.write(full);
        }
    }

    /// Runs `then` when there is room.
    void whenReady(Runnable then) {
        PostedWrites writes = posted;
        if (tunnel.isOver() || writes.waits()) {
            return; // the callback for the end reports that
        }
        sendPosted(writes);
        if (hasRoom) {
            roomFor(writes, then);
        } else {
            tunnel.onRoom(() -> roomFor(writes, then));
        }
    }

    private void roomFor(PostedWrites writes, Runnable then) {
        hasRoom = true;
        writes.room();
        then.run();
    }

    /// Wakes the thread that waits, because the tunnel is over.
    void lost() {
        loopCall.answer();
    }
}
