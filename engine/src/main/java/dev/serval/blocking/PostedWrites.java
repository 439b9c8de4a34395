package dev.serval.blocking;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// The buffers that a thread wrote without waiting, on their way to the loop. One thread adds at a
/// time, and observes a limit on [#pendingBytes]. So the queue stays short.
final class PostedWrites {
    /// Bytes after which a thread that does not wait must ask for room.
    private static final int READY_MAX_BYTES = 64 << 10;

    /// Of a writer that has posted nothing yet: it waits, and there is room. Never added to.
    static final PostedWrites NONE = new PostedWrites();

    private final Queue<ByteBuffer> buffers = new ConcurrentLinkedQueue<>();
    private boolean waits = true;
    private volatile long added; // bytes, by the thread
    private long taken; // bytes, by the loop
    private volatile long settled; // bytes that were taken when there was room after them

    /// Returns whether the writer waits for room. For the thread.
    boolean waits() {
        return waits;
    }

    /// Makes the writer ask [#isReady] instead of waiting. For the thread.
    void withoutWaiting() {
        waits = false;
    }

    /// Adds a full buffer, which the writer does not use any more.
    void add(ByteBuffer full) {
        long before = added;
        added = before + full.remaining();
        buffers.add(full);
    }

    /// Returns whether the writer may write without asking for room.
    boolean isReady() {
        return pendingBytes() < READY_MAX_BYTES;
    }

    /// Returns the bytes that were added since there was room.
    long pendingBytes() {
        return added - settled;
    }

    /// Returns the next buffer, or null. For the loop.
    @Nullable ByteBuffer poll() {
        @Nullable ByteBuffer next = buffers.poll();
        if (next != null) {
            taken += next.remaining();
        }
        return next;
    }

    /// Records that there is room after all buffers that were taken. For the loop.
    void room() {
        if (settled != taken) { // so that loops only read what they share
            settled = taken;
        }
    }
}
