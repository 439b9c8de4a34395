package dev.serval.blocking;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// The buffers that a thread wrote without waiting, on their way to the loop. One thread adds at a
/// time. It stops after [#MAX_BYTES] and continues when the loop reports room, so the queue stays
/// short.
final class PostedWrites {
    /// Bytes after which the writer must ask for room.
    private static final int MAX_BYTES = 64 << 10;

    private final Queue<ByteBuffer> buffers = new ConcurrentLinkedQueue<>();
    private volatile long bytes; // since there was room

    /// Adds a full buffer, which the writer does not use any more.
    void add(ByteBuffer full) {
        long before = bytes;
        bytes = before + full.remaining();
        buffers.add(full);
    }

    /// Returns whether the writer may write without asking for room.
    boolean isReady() {
        return bytes < MAX_BYTES;
    }

    /// Returns the next buffer, or null. For the loop.
    @Nullable ByteBuffer poll() {
        return buffers.poll();
    }

    /// Records that there is room. For the loop.
    void room() {
        bytes = 0;
    }
}
