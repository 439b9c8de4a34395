package dev.serval.handler;

import java.nio.ByteBuffer;

/// A stream of bytes in both directions, after an upgrade or CONNECT. HTTP/1.1 connections and
/// HTTP/2 streams use the same type. Bytes that followed the request are read first. Owned by the
/// loop.
public interface Duplex {
    /// Reads like [Source#read]; returns [Source#END] after the peer has finished sending.
    int read(ByteBuffer into);

    /// Writes like [Sink#write].
    long write(Body part);

    /// Runs `once` like [Source#onReadable].
    void onReadable(Runnable once);

    /// Runs `once` like [Sink#onWritable].
    void onWritable(Runnable once);

    /// Ends the server's direction after all bytes written so far. Reading continues.
    void end();

    /// Ends both directions. Bytes that were written but not sent are lost, unless `why` is
    /// [Fault#SHUTDOWN].
    void close(Fault why);
}
