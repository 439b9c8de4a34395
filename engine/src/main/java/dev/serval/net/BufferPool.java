package dev.serval.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// Lends memory to connections for bytes that outlast a turn, such as early input and unsent
/// answers. It reuses returned memory and counts lent memory. Owned by one loop, but any thread may
/// borrow a heap buffer.
///
/// The pool keeps returned arrays up to a limit. It keeps all direct buffers, because their memory
/// is freed only when the collector finds them. Until then the JVM counts that memory as used, and
/// the loop would have to wait for a full collection. [#held] bounds the direct buffers, because
/// the loop reclaims memory past a limit.
public final class BufferPool {
    /// Bytes of a direct buffer.
    public static final int DIRECT_BYTES = 16 << 10;

    /// Bytes of a buffer on the heap.
    public static final int HEAP_BYTES = 8 << 10;

    private static final int KEPT_AT_FIRST = 64; // initial capacity for each size
    private static final int SMALLEST = 1 << 10;
    private static final int LARGEST = 64 << 10;
    private static final int CLASSES = 7; // 1, 2, 4 … 64 KiB
    private static final long KEPT_ARRAYS_MAX_BYTES = 4 << 20; // about what one relief frees
    private static final VarHandle HELD = heldHandle();

    // Returning a buffer must not fail if no memory is left: see keep.
    private final ArrayDeque<ByteBuffer> direct = new ArrayDeque<>(KEPT_AT_FIRST);
    private final HeapBuffers heap = new HeapBuffers();
    private final ArrayDeque<byte[]>[] arrays;
    private int lent; // arrays and direct buffers
    private long keptArrays; // bytes
    private long outlasting; // bytes

    @SuppressWarnings("unused") // used through HELD
    private long held;

    /// Creates an empty pool.
    @SuppressWarnings("unchecked") // an array of a generic type
    public BufferPool() {
        arrays = (ArrayDeque<byte[]>[]) new ArrayDeque<?>[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            arrays[i] = new ArrayDeque<>(KEPT_AT_FIRST);
        }
    }

    /// Returns an array of at least `length` bytes with arbitrary content.
    public byte[] array(int length) {
        int size = SMALLEST;
        for (ArrayDeque<byte[]> free : arrays) {
            if (length <= size) {
                byte[] kept = free.pollLast();
                byte[] array = kept != null ? kept : new byte[size];
                if (kept != null) {
                    keptArrays -= size;
                }
                lent++; // only after the allocation succeeded
                hold(size);
                return array;
            }
            size <<= 1;
        }
        byte[] large = new byte[length];
        lent++;
        hold(length);
        return large;
    }

    /// Takes an array back.
    public void giveBack(byte[] array) {
        drop(array);
        if (array.length <= LARGEST && keptArrays + array.length <= KEPT_ARRAYS_MAX_BYTES) {
            if (keep(arrays[Integer.numberOfTrailingZeros(array.length / SMALLEST)], array)) {
                keptArrays += array.length;
            }
        }
    }

    /// Takes an array back that must not be used again.
    public void drop(byte[] array) {
        lent--;
        hold(-array.length);
    }

    /// Returns an empty direct buffer of [#DIRECT_BYTES].
    public ByteBuffer direct() {
        ByteBuffer kept = direct.pollLast();
        ByteBuffer buffer = kept != null ? kept.clear() : ByteBuffer.allocateDirect(DIRECT_BYTES);
        lent++;
        hold(DIRECT_BYTES);
        return buffer;
    }

    /// Returns an empty heap buffer of [#HEAP_BYTES], which other threads may fill or read. Any
    /// thread.
    public ByteBuffer heap() {
        return heap.take();
    }

    /// Takes a buffer back. A heap buffer of another size replaces one that must not be used again,
    /// and is dropped.
    public void giveBack(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            heap.giveBack(buffer);
        } else {
            lent--;
            hold(-DIRECT_BYTES);
            keep(direct, buffer);
        }
    }

    /// Counts memory that a connection holds but did not get from this pool, such as a request's
    /// head. A negative number counts memory that was returned.
    public void hold(long bytes) {
        HELD.setOpaque(this, held + bytes);
    }

    /// Counts memory of closed connections, which [#held] includes until their last task ends. A
    /// negative number counts memory that was returned.
    void outlast(long bytes) {
        outlasting += bytes;
    }

    /// Returns the bytes that [#outlast] counted.
    long outlasting() {
        return outlasting;
    }

    /// Returns the bytes that connections hold: arrays, direct buffers and what [#hold] counted.
    /// Heap buffers are not included, because they belong to exchanges, whose number is bounded.
    /// Any thread.
    public long held() {
        return (long) HELD.getOpaque(this);
    }

    /// Returns the number of arrays and buffers that are lent. Not for each request: it counts the
    /// heap buffers that are kept.
    public int lent() {
        return lent + heap.lent();
    }

    /// @return whether it was kept; if there is no memory to store it, the collector frees it
    private static <T> boolean keep(ArrayDeque<T> free, T buffer) {
        try {
            free.addLast(buffer);
            return true;
        } catch (OutOfMemoryError e) {
            return false;
        }
    }

    private static VarHandle heldHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(BufferPool.class, "held", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
