package dev.serval.handler;

import java.nio.ByteBuffer;

/// Bytes both ways after an upgrade or CONNECT: the same type on an HTTP/1.1 connection and an
/// HTTP/2 stream. Owned by the loop. Bytes that arrived behind the request come first.
public interface Duplex {
    /// As [Source#read]; [Source#END] when the peer has finished sending.
    int read(ByteBuffer into);

    /// As [Sink#write].
    long write(Body part);

    /// As [Source#onReadable].
    void onReadable(Runnable once);

    /// As [Sink#onWritable].
    void onWritable(Runnable once);

    /// Ends our direction after what was written; reading goes on.
    void end();

    /// Ends both directions; what was written and not yet sent is lost if `why` is not
    /// [Fault#SHUTDOWN].
    void close(Fault why);
}
