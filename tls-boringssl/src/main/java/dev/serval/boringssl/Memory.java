package dev.serval.boringssl;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;

/// Addresses of buffers for native code, and the end of what connections share. Any thread.
final class Memory {
    /// The most content of a record (RFC 8446 §5.1).
    static final int CONTENT_MAX_BYTES = 1 << 14;

    /// More than the longest record, as the buffers of a loop have for each.
    static final int RECORD_MAX_BYTES = 18_437;

    /// For content in parts or on the heap, which native code cannot reach.
    private static final ThreadLocal<ByteBuffer> SCRATCH =
            ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(RECORD_MAX_BYTES));

    private static final Cleaner CLEANER =
            Cleaner.create(
                    body -> Thread.ofPlatform().name("serval-tls-free").daemon().unstarted(body));

    private Memory() {}

    /// Frees native memory after the garbage collector has found that nothing uses its holder.
    ///
    /// @param free does not refer to the holder
    static void freeAfter(Object holder, Runnable free) {
        CLEANER.register(holder, free);
    }

    /// Returns the address of a direct buffer's position.
    static long address(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("Native code cannot reach a buffer on the heap");
        }
        return MemorySegment.ofBuffer(buffer).address();
    }

    /// Returns a direct buffer of this thread, with room for a record, for use within one call.
    static ByteBuffer scratch() {
        return SCRATCH.get().clear();
    }
}
