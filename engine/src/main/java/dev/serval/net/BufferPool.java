package dev.serval.net;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/// Memory lent to connections for what outlasts a turn: bytes that came early, bytes that could
/// not be sent yet. Keeps what comes back, up to a bound, for the next; counts what is out. Owned by
/// one loop.
public final class BufferPool {
    /// Bytes of a direct buffer.
    public static final int DIRECT_BYTES = 16 << 10;

    /// Bytes of a buffer on the heap.
    public static final int HEAP_BYTES = 8 << 10;

    private static final int HEAP_KEPT = 256; // as many exchanges as wait at a time, mostly
    private static final int SMALLEST = 1 << 10;
    private static final int LARGEST = 64 << 10;
    private static final int CLASSES = 7; // 1, 2, 4 … 64 KiB
    private static final int KEPT_PER_CLASS = 64;

    // As large as they get: taking a buffer back must never need memory.
    private final ArrayDeque<ByteBuffer> direct = new ArrayDeque<>(KEPT_PER_CLASS);
    private final ArrayDeque<ByteBuffer> heap = new ArrayDeque<>(HEAP_KEPT);
    private final ArrayDeque<byte[]>[] arrays;
    private int lent;

    /// Empty.
    @SuppressWarnings("unchecked") // arrays of generics
    public BufferPool() {
        arrays = (ArrayDeque<byte[]>[]) new ArrayDeque<?>[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            arrays[i] = new ArrayDeque<>(KEPT_PER_CLASS);
        }
    }

    /// An array of at least `length` bytes; they may hold anything.
    public byte[] array(int length) {
        int size = SMALLEST;
        for (ArrayDeque<byte[]> free : arrays) {
            if (length <= size) {
                byte[] kept = free.pollLast();
                byte[] array = kept != null ? kept : new byte[size];
                lent++; // not where there was no memory
                return array;
            }
            size <<= 1;
        }
        byte[] large = new byte[length];
        lent++;
        return large;
    }

    /// Takes an array back.
    public void giveBack(byte[] array) {
        lent--;
        if (array.length <= LARGEST) {
            ArrayDeque<byte[]> free =
                    arrays[Integer.numberOfTrailingZeros(array.length / SMALLEST)];
            if (free.size() < KEPT_PER_CLASS) {
                free.addLast(array);
            }
        }
    }

    /// A direct buffer of [#DIRECT_BYTES], empty.
    public ByteBuffer direct() {
        ByteBuffer kept = direct.pollLast();
        ByteBuffer buffer = kept != null ? kept.clear() : ByteBuffer.allocateDirect(DIRECT_BYTES);
        lent++;
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
        } else if (direct.size() < KEPT_PER_CLASS) {
            direct.addLast(buffer);
        }
    }

    /// Arrays and buffers that have not come back.
    public int lent() {
        return lent;
    }
}
