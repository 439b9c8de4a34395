package dev.serval.net;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/// The bytes of one connection, both ways, without blocking: a socket of some kind, or memory.
/// Owned by its loop. An IOException means that the connection is lost.
public interface Transport {
    /// Our end.
    SocketAddress local();

    /// The other end.
    SocketAddress peer();

    /// Sets what is called when it is ready.
    void attach(Readiness readiness);

    /// Reads what is here into a direct buffer.
    ///
    /// @return bytes, 0 for none yet, -1 for the end
    int read(ByteBuffer into) throws IOException;

    /// Writes what fits of one buffer.
    ///
    /// @return bytes
    int write(ByteBuffer part) throws IOException;

    /// Writes what fits of one buffer, and announces a file: the system may wait for its bytes and
    /// send both in one packet. If all fits, the caller must call [#transfer] at once.
    ///
    /// @return bytes
    int writeBeforeFile(ByteBuffer part) throws IOException;

    /// Writes what fits of `parts[0, count)`, in one call to the system.
    ///
    /// @return bytes
    long write(ByteBuffer[] parts, int count) throws IOException;

    /// Writes what fits of a file.
    ///
    /// @return bytes; 0 also where the file ends before `position`
    long transfer(FileChannel file, long position, long count) throws IOException;

    /// Sets what to be told of, from now on, as long as it is so (level-triggered).
    void interest(boolean read, boolean write);

    /// Sends our end of the stream.
    void shutdownOutput() throws IOException;

    /// Closes; what the system has taken is still delivered.
    void close();

    /// Closes with a reset: nothing more is delivered.
    void reset();
}
