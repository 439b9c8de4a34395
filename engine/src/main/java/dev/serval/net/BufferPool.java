package dev.serval.net;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// Memory lent to connections for what outlasts a turn: bytes that came early, bytes that could
/// not be sent yet. Keeps what comes back for the next; counts what is out. Owned by one loop.
///
/// Of arrays it keeps up to a bound. Direct buffers it keeps all: their memory is freed only when the
/// collector finds them, and until then the JVM counts it as used, which would make the loop wait for
/// a full collection. [#held] is what bounds them, since the loop gets memory back past a limit.
public final class BufferPool {
    /// Bytes of a direct buffer.
    public static final int DIRECT_BYTES = 16 << 10;

    /// Bytes of a buffer on the heap.
    public static final int HEAP_BYTES = 8 << 10;

    private static final int HEAP_KEPT = 256; // as many exchanges as wait at a time, mostly
    private static final int KEPT_AT_FIRST = 64; // for each size, without growing
    private static final int SMALLEST = 1 << 10;
    private static final int LARGEST = 64 << 10;
    private static final int CLASSES = 7; // 1, 2, 4 … 64 KiB
    private static final long KEPT_ARRAYS_MAX_BYTES =
            4 << 20; // what one relief brings back, mostly
    private static final VarHandle HELD = heldHandle();

    // Taking a buffer back must not fail where there is no memory: see keep.
    private final ArrayDeque<ByteBuffer> direct = new ArrayDeque<>(KEPT_AT_FIRST);
    private final ArrayDeque<ByteBuffer> heap = new ArrayDeque<>(HEAP_KEPT);
    private final ArrayDeque<byte[]>[] arrays;
    private int lent;
    private long keptArrays; // bytes

    @SuppressWarnings("unused") // through HELD
    private long held;

    /// Empty.
    @SuppressWarnings("unchecked") // arrays of generics
    public BufferPool() {
        arrays = (ArrayDeque<byte[]>[]) new ArrayDeque<?>[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            arrays[i] = new ArrayDeque<>(KEPT_AT_FIRST);
        }
    }

    /// An array of at least `length` bytes; they may hold anything.
    public byte[] array(int length) {
        int size = SMALLEST;
        for (ArrayDeque<byte[]> free : arrays) {
            if (length <= size) {
                byte[] kept = free.pollLast();
                byte[] array = kept != null ? kept : new byte[size];
                if (kept != null) {
                    keptArrays -= size;
                }
                lent++; // not where there was no memory
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
        lent--;
        hold(-array.length);
        if (array.length <= LARGEST && keptArrays + array.length <= KEPT_ARRAYS_MAX_BYTES) {
            if (keep(arrays[Integer.numberOfTrailingZeros(array.length / SMALLEST)], array)) {
                keptArrays += array.length;
            }
        }
    }

    /// A direct buffer of [#DIRECT_BYTES], empty.
    public ByteBuffer direct() {
        ByteBuffer kept = direct.pollLast();
        ByteBuffer buffer = kept != null ? kept.clear() : ByteBuffer.allocateDirect(DIRECT_BYTES);
        lent++;
        hold(DIRECT_BYTES);
        return buffer;
    }

    /// A buffer of [#HEAP_BYTES] on the heap, empty, for what other threads fill or read.
    public ByteBuffer heap() {
        ByteBuffer kept = heap.pollLast();
        ByteBuffer buffer = kept != null ? kept.clear() : ByteBuffer.allocate(HEAP_BYTES);
        lent++;
        return buffer;
    }

    /// Takes a buffer back. One of another size stands for a buffer that must not be used again.
    public void giveBack(ByteBuffer buffer) {
        lent--;
        if (!buffer.isDirect()) {
            if (buffer.capacity() == HEAP_BYTES && heap.size() < HEAP_KEPT) {
                heap.addLast(buffer);
            }
        } else {
            hold(-DIRECT_BYTES);
            keep(direct, buffer);
        }
    }

    /// Counts memory that a connection holds though it was not lent here, such as the head of its
    /// request; negative when it is given back.
    public void hold(long bytes) {
        HELD.setOpaque(this, held + bytes);
    }

    /// Bytes that connections hold: arrays, direct buffers and what [#hold] counted. Buffers on the
    /// heap are not among them: they belong to exchanges, whose number is bounded. Any thread.
    public long held() {
        return (long) HELD.getOpaque(this);
    }

    /// Arrays and buffers that have not come back.
    public int lent() {
        return lent;
    }

    /// @return whether it was kept; if there is no memory for its place, it is left to the collector
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
