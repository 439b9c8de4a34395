package dev.serval.testkit.layer;

import java.io.IOException;
import java.nio.ByteBuffer;

/// What lies between a client and its socket: it changes the bytes on their way, or passes them on. It
/// never blocks. Owned by the thread of its test.
public interface Layer {
    /// Reads the bytes that have arrived.
    ///
    /// @return number of bytes; 0 if none have; -1 if the server has finished sending
    int read(ByteBuffer into) throws IOException;

    /// Writes as much as is accepted at once.
    int write(ByteBuffer from) throws IOException;

    /// Finishes sending, after what was written. Reading continues.
    void end() throws IOException;

    /// Returns whether written bytes wait for room in the socket.
    boolean waits();

    /// Returns whether more can be written only after something was read.
    boolean mustRead();
}
