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

    /// A buffer with its first `bytes` bytes to send. Its limit is set by the loop, which may still
    /// be sending it.
    private record Post(ByteBuffer buffer, int bytes) {}

    private final Queue<Post> posts = new ConcurrentLinkedQueue<>();
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

    /// Adds the first `bytes` bytes of a buffer that the writer does not use any more.
    void add(ByteBuffer full, int bytes) {
        long before = added;
        added = before + bytes;
        posts.add(new Post(full, bytes));
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
        @Nullable Post next = posts.poll();
        if (next == null) {
            return null;
        }
        taken += next.bytes;
        return next.buffer.clear().limit(next.bytes);
    }

    /// Records that there is room after all buffers that were taken. For the loop.
    void room() {
        if (settled != taken) { // so that loops only read what they share
            settled = taken;
        }
    }
}
