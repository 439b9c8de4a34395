package dev.serval.net;

import java.io.IOException;
import java.nio.channels.ReadableByteChannel;

/// Bytes on their way from one socket to another that stay inside the system, so that they are not
/// copied into this process. [NetLoop#conduit] lends it, [Input#fill(Conduit, int)] fills it while it
/// is empty, and an [Output] empties it. Owned by its loop.
///
/// Where an output cannot send it by itself, as over a transport that transforms bytes, [#read] takes
/// the bytes out.
public interface Conduit extends ReadableByteChannel {
    /// Returns the bytes that it holds.
    int length();

    /// Takes bytes that a transport has received, without waiting. It must be empty.
    ///
    /// @return bytes taken, 0 if none are available yet, -1 at the end of the stream
    int fill(Transport from, int most) throws IOException;

    /// Closes it, and drops what it holds.
    @Override
    void close();
}
