package dev.serval.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Lends heap buffers of [BufferPool#HEAP_BYTES]. Any thread borrows them, because application code
/// begins on threads that do not own the loop. Only the loop takes them back.
///
/// The buffer that came back last is lent first. So a few buffers, which the processor's cache holds,
/// are used again and again, and neither side looks at the other places.
///
/// Nothing counts what is lent while buffers go and come. [#lent] computes it from what was created,
/// dropped and kept.
final class HeapBuffers {
    private static final int KEPT_MAX = 256; // usually all exchanges that run at a time
    private static final VarHandle CREATED = createdHandle();

    private final AtomicReferenceArray<@Nullable ByteBuffer> kept =
            new AtomicReferenceArray<>(KEPT_MAX);

    /// The first place that is free, as far as one knows. Several threads write it, so it may be
    /// wrong. Then a buffer is created or dropped that need not have been.
    private int free;

    @SuppressWarnings("UnusedVariable") // used by CREATED: buffers, by any thread
    private int created;

    private int dropped; // used by the loop

    /// Returns an empty buffer with arbitrary content. Any thread.
    ByteBuffer take() {
        for (int i = free - 1; i >= 0; i--) {
            if (kept.getPlain(i) != null) {
                @Nullable ByteBuffer buffer = kept.getAndSet(i, null);
                if (buffer != null) { // no other thread was faster
                    free = i;
                    return buffer.clear();
                }
            }
        }
        free = 0;
        ByteBuffer fresh = ByteBuffer.allocate(BufferPool.HEAP_BYTES);
        int _ = (int) CREATED.getAndAdd(this, 1); // only after the allocation succeeded
        return fresh;
    }

    /// Takes a buffer back. One of another size replaces a buffer that must not be used again.
    void giveBack(ByteBuffer buffer) {
        if (buffer.capacity() == BufferPool.HEAP_BYTES) {
            for (int i = free; i < KEPT_MAX; i++) {
                if (kept.getPlain(i) == null && kept.compareAndSet(i, null, buffer)) {
                    free = i + 1;
                    return;
                }
            }
        }
        dropped++;
    }

    /// Returns the number of buffers that are lent. On the loop; exact while no other thread borrows.
    int lent() {
        int here = 0;
        for (int i = 0; i < KEPT_MAX; i++) {
            here += kept.get(i) == null ? 0 : 1;
        }
        return (int) CREATED.getVolatile(this) - dropped - here;
    }

    private static VarHandle createdHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(HeapBuffers.class, "created", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
