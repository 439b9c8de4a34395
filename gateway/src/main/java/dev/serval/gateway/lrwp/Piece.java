package dev.serval.gateway.lrwp;

import dev.serval.handler.Body;
import dev.serval.handler.Sink;
import java.nio.ByteBuffer;

/// A buffer that carries content from a peer's input, whose memory is reused at once, to a response
/// of HTTP/1.1. Usually the response copies it at once, so that one such buffer serves all requests
/// of a loop. Owned by the loop.
final class Piece {
    /// The bytes that a response copies rather than keeps.
    static final int BYTES = 32 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    private final Body.Bytes body = new Body.Bytes(buffer, this::released);
    private boolean borrowed;

    /// Returns whether a response has not released it yet.
    boolean isBorrowed() {
        return borrowed;
    }

    /// Writes `source[from, from + length)` to a response.
    ///
    /// @return as [Sink#write]
    long write(Sink out, byte[] source, int from, int length) {
        buffer.clear().put(source, from, length).flip();
        borrowed = true;
        return out.write(body);
    }

    private void released() {
        borrowed = false;
    }
}
