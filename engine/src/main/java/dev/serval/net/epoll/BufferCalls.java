package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// Sends buffers and files to sockets, and reads files into buffers. It has the memory that such calls
/// need: a vector, and a direct buffer for bytes that are on the heap. A call returns the bytes, or a
/// negated error number. Owned by the loop.
final class BufferCalls {
    private static final int VECTOR_MOST = 64;
    private static final int ENTRY_BYTES = 16; // struct iovec
    private static final int LENGTH_AT = 8; // in struct iovec

    private final Syscalls calls;
    private final MemorySegment vector;
    private final MemorySegment offset;
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(64 << 10);

    /// @param arena holds its memory
    BufferCalls(Arena arena, Syscalls calls) {
        this.calls = calls;
        this.vector = arena.allocate((long) ENTRY_BYTES * VECTOR_MOST, 8);
        this.offset = arena.allocate(8, 8);
    }

    /// Sends up to [#VECTOR_MOST] buffers in one call.
    long send(int fd, ByteBuffer[] parts, int count) {
        int most = Math.min(count, VECTOR_MOST);
        for (int i = 0; i < most; i++) {
            if (!parts[i].isDirect()) {
                return i == 0 ? send(fd, parts[0], Syscalls.MSG_NOSIGNAL) : sendVector(fd, i);
            }
            put(i, parts[i]);
        }
        return sendVector(fd, most);
    }

    private long sendVector(int fd, int count) {
        return calls.writev(fd, vector.address(), count);
    }

    private void put(int index, ByteBuffer direct) {
        long at = (long) ENTRY_BYTES * index;
        vector.set(JAVA_LONG_UNALIGNED, at, BufferAddress.of(direct));
        vector.set(JAVA_LONG_UNALIGNED, at + LENGTH_AT, direct.remaining());
    }

    /// Sends one buffer. A heap buffer is copied to a direct buffer first, as much as fits.
    ///
    /// @param flags of `send(2)`
    long send(int fd, ByteBuffer part, int flags) {
        if (part.isDirect()) {
            return calls.send(fd, BufferAddress.of(part), part.remaining(), flags);
        }
        int n = Math.min(scratch.capacity(), part.remaining());
        scratch.clear().put(0, part, part.position(), n);
        return calls.send(fd, BufferAddress.of(scratch), n, flags);
    }

    /// Sends a region of a file; 0 past the end of the file.
    long sendFile(int fd, FileChannel file, long position, long length) throws IOException {
        int number = FileDescriptors.of(file);
        if (number < 0) {
            return copyFile(fd, file, position, length);
        }
        offset.set(JAVA_LONG_UNALIGNED, 0, position);
        return calls.sendfile(fd, number, offset.address(), length);
    }

    /// Sends a region of a file that has no descriptor, such as a file in an archive.
    private long copyFile(int fd, FileChannel file, long position, long length) throws IOException {
        scratch.clear().limit((int) Math.min(scratch.capacity(), length));
        int n = file.read(scratch, position);
        if (n <= 0) {
            return 0;
        }
        return calls.send(fd, BufferAddress.of(scratch.flip()), n, Syscalls.MSG_NOSIGNAL);
    }

    /// Reads what the system has of a file in memory into direct buffers, and moves their positions on.
    ///
    /// @return bytes read; 0 if it has nothing there, or cannot say so
    long readNow(FileChannel file, long position, ByteBuffer[] into, int count) {
        int number = FileDescriptors.of(file);
        if (number < 0) {
            return 0; // such as a file in an archive
        }
        int most = Math.min(count, VECTOR_MOST);
        for (int i = 0; i < most; i++) {
            put(i, into[i]);
        }
        long n = Math.max(0, calls.readNow(number, vector.address(), most, position));
        skip(into, most, n);
        return n;
    }

    /// Moves the positions of buffers on.
    static void skip(ByteBuffer[] parts, int count, long bytes) {
        long left = bytes;
        for (int i = 0; i < count && left > 0; i++) {
            int taken = (int) Math.min(left, parts[i].remaining());
            parts[i].position(parts[i].position() + taken);
            left -= taken;
        }
    }
}
