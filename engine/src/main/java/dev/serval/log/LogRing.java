package dev.serval.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Lines on their way from one loop to the writer, in a ring of bytes. Each line is in one piece, and
/// begins with its length and the number of its file. Neither side ever waits for the other: a line
/// for which there is no room is counted and dropped.
///
/// ```
///    consumed ──▶ [length, file, line] [length, file, line] ... ──▶ published
/// ```
/// The loop calls [#claim], [#publish] and [#lose]; the writer calls [#take]; any thread the others.
final class LogRing {
    /// Receives the lines of a ring.
    @FunctionalInterface
    interface Taker {
        /// Receives the line `bytes[from, from + length)`.
        void line(int file, byte[] bytes, int from, int length);
    }

    private static final int HEADER = 2 * Integer.BYTES;
    private static final int SKIP = -1; // in place of a length: the rest of the array is not used
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final VarHandle PUBLISHED = handle("published");
    private static final VarHandle CONSUMED = handle("consumed");
    private static final VarHandle LOST = handle("lost");

    private final byte[] bytes;
    private final int mask;
    private final long half;

    // Of the loop: positions grow for ever, and their lower bits are indices.
    private long published;
    private long known; // of what the writer has consumed
    private long lost;
    private long claimed; // where the line begins that is being written

    // Of the writer, away from the cache lines of the loop.
    @SuppressWarnings("UnusedVariable")
    private long padding0;

    @SuppressWarnings("UnusedVariable")
    private long padding1;

    private long consumed;

    /// Creates an empty ring.
    ///
    /// @param size in bytes, a power of two
    LogRing(int size) {
        if (Integer.bitCount(size) != 1) {
            throw new IllegalArgumentException("The size of a ring is a power of two, not " + size);
        }
        bytes = new byte[size];
        mask = size - 1;
        half = size / 2;
    }

    /// Returns the memory in which lines are written.
    byte[] memory() {
        return bytes;
    }

    /// Returns the index at which a line of at most `most` bytes may be written, or -1 if there is no
    /// room.
    int claim(int most) {
        long needed = aligned(HEADER + most);
        int index = (int) published & mask;
        long left = bytes.length - (long) index;
        long skipped = needed > left ? left : 0;
        if (!hasRoom(skipped + needed)) {
            return -1;
        }
        if (skipped > 0) {
            INT.set(bytes, index, SKIP); // published with the line that follows
        }
        claimed = published + skipped;
        return ((int) claimed & mask) + HEADER;
    }

    /// Publishes the line that was written where [#claim] said.
    void publish(int file, int length) {
        int index = (int) claimed & mask;
        INT.set(bytes, index, length);
        INT.set(bytes, index + Integer.BYTES, file);
        PUBLISHED.setRelease(this, claimed + aligned(HEADER + length));
    }

    /// Returns whether at least half of the ring waits for the writer.
    boolean isHalfFull() {
        if (published - known < half) {
            return false;
        }
        known = (long) CONSUMED.getAcquire(this);
        return published - known >= half;
    }

    /// Counts a line that was dropped.
    void lose() {
        LOST.setOpaque(this, lost + 1);
    }

    /// Returns how many lines were dropped.
    long lost() {
        return (long) LOST.getOpaque(this);
    }

    /// Hands over all lines that were published, in order.
    ///
    /// @return how many there were
    int take(Taker taker) {
        long end = (long) PUBLISHED.getAcquire(this);
        long at = consumed;
        int lines = 0;
        while (at < end) {
            int index = (int) at & mask;
            int length = (int) INT.get(bytes, index);
            if (length == SKIP) {
                at += bytes.length - (long) index;
                continue;
            }
            int file = (int) INT.get(bytes, index + Integer.BYTES);
            taker.line(file, bytes, index + HEADER, length);
            at += aligned(HEADER + length);
            lines++;
            CONSUMED.setRelease(this, at);
        }
        return lines;
    }

    private boolean hasRoom(long needed) {
        if (published + needed - known <= bytes.length) {
            return true;
        }
        known = (long) CONSUMED.getAcquire(this);
        return published + needed - known <= bytes.length;
    }

    private static long aligned(int length) {
        return (length + Integer.BYTES - 1L) & -Integer.BYTES;
    }

    private static VarHandle handle(String field) {
        try {
            return MethodHandles.lookup().findVarHandle(LogRing.class, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
