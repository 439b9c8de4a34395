package dev.serval.net.epoll;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import dev.serval.net.Conduit;
import dev.serval.net.Transport;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A pipe of Linux, into and out of which splice(2) moves bytes. Owned by its loop.
final class EpollConduit implements Conduit {
    /// Bytes that the pipe should take. Its default of 16 buffers holds as little as 64 KiB.
    private static final int SIZE_BYTES = 256 << 10;

    private static final int FLAGS = Syscalls.SPLICE_F_MOVE | Syscalls.SPLICE_F_NONBLOCK;

    private final Syscalls calls;
    private final int reading;
    private final int writing;
    private int length;
    private boolean open = true;

    /// Makes a pipe; null if the system has no memory or descriptors for it.
    ///
    /// @param pair memory for two numbers
    static @Nullable EpollConduit open(Syscalls calls, MemorySegment pair) {
        if (calls.pipe(pair.address()) < 0) {
            return null;
        }
        int writing = pair.get(JAVA_INT_UNALIGNED, 4);
        int _ = calls.pipeSize(writing, SIZE_BYTES); // or less, past the user's limit
        return new EpollConduit(calls, pair.get(JAVA_INT_UNALIGNED, 0), writing);
    }

    private EpollConduit(Syscalls calls, int reading, int writing) {
        this.calls = calls;
        this.reading = reading;
        this.writing = writing;
    }

    @Override
    public int length() {
        return length;
    }

    @Override
    public int fill(Transport from, int most) throws IOException {
        if (length > 0) {
            throw new IllegalStateException("A conduit is filled only while it is empty");
        }
        if (!(from instanceof EpollTransport socket)) {
            throw new IllegalArgumentException("Not a socket of epoll: " + from);
        }
        int n = socket.moveInto(writing, most, FLAGS);
        length = Math.max(n, 0);
        return n;
    }

    /// Moves bytes into a socket.
    ///
    /// @return bytes moved, or a negated error number
    long moveInto(int socket, long most) {
        long n = calls.splice(reading, socket, Math.min(most, length), FLAGS);
        length -= (int) Math.max(n, 0);
        return n;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        if (length == 0) {
            return -1;
        }
        int most = Math.min(length, into.remaining());
        ByteBuffer direct = into.isDirect() ? into : ByteBuffer.allocateDirect(most);
        long n = calls.read(reading, BufferAddress.of(direct), most);
        if (n < 0) {
            throw new IOException(Syscalls.text(n));
        }
        length -= (int) n;
        if (into.isDirect()) {
            into.position(into.position() + (int) n);
        } else {
            into.put(direct.limit((int) n));
        }
        return (int) n;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            length = 0;
            calls.close(reading);
            calls.close(writing);
        }
    }
}
