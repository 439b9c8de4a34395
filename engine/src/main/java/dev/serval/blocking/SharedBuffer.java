package dev.serval.blocking;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/// The buffer of an output stream: one thread at a time fills it, and the loop takes from it. A
/// thread that the application started may do so while the loop takes the last part.
///
/// Threads use only the array and `count`. Only the loop changes position and limit of a buffer,
/// because it may be sending it.
///
/// Arrays are used again, so a new one holds the content of another response. The loop must never
/// read the new array with the old count. Hence [#replace] sets `count` to 0 before the buffer, and
/// [#take] reads the buffer before `count`. [#post] posts the old buffer last, so that the loop
/// cannot take it twice. Whatever the loop finds is the beginning of what was written since the
/// buffer was posted last.
///
/// It holds no bytes and has no room until [#begin], so that a request that waits for a thread needs
/// no buffer.
final class SharedBuffer {
    /// Takes as many bytes as were written.
    static final int AS_FILLED = -1;

    private static final byte[] NO_BYTES = {};
    private static final ByteBuffer NONE = ByteBuffer.wrap(NO_BYTES);
    private static final VarHandle COUNT = countHandle();

    private ByteBuffer buffer = NONE;
    private byte[] array = NO_BYTES; // of the buffer

    @SuppressWarnings("UnusedVariable") // used by COUNT: bytes in the array
    private int count;

    // For the thread

    /// Sets the first buffer, before any other thread knows the stream.
    @SuppressWarnings("ByteBufferBackingArray") // borrowed buffers have their own array
    void begin(ByteBuffer first) {
        buffer = first;
        array = first.array();
    }

    boolean isFull() {
        return (int) COUNT.get(this) >= array.length;
    }

    int capacity() {
        return array.length;
    }

    /// Returns how many bytes the buffer holds.
    int filled() {
        return (int) COUNT.getAcquire(this);
    }

    /// Adds a byte to a buffer that is not full.
    void add(byte b) {
        int at = (int) COUNT.get(this);
        array[at] = b;
        COUNT.setRelease(this, at + 1);
    }

    /// Adds bytes to a buffer that is not full.
    ///
    /// @return how many had room
    int add(byte[] from, int first, int most) {
        int at = (int) COUNT.get(this);
        int n = Math.min(array.length - at, most);
        System.arraycopy(from, first, array, at, n);
        COUNT.setRelease(this, at + n);
        return n;
    }

    void clear() {
        COUNT.setRelease(this, 0);
    }

    /// Posts what was written, and continues with `next`, which may hold anything.
    void post(PostedWrites posted, byte[] next) {
        int full = filled();
        ByteBuffer before = buffer;
        replace(next);
        posted.add(before, full);
    }

    void replace(byte[] next) {
        clear();
        VarHandle.storeStoreFence();
        array = next;
        buffer = ByteBuffer.wrap(next);
    }

    // For the loop

    ByteBuffer buffer() {
        return buffer;
    }

    /// Takes what was written.
    ///
    /// @param length of the result, up to the buffer's capacity, or [#AS_FILLED]
    ByteBuffer take(int length) {
        ByteBuffer all = buffer;
        VarHandle.loadLoadFence();
        int here = (int) COUNT.getAcquire(this);
        clear();
        int n = length == AS_FILLED ? here : length;
        return all.clear().limit(Math.min(n, all.capacity()));
    }

    void drop() {
        buffer = NONE;
    }

    private static VarHandle countHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(SharedBuffer.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
