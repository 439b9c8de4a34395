package dev.serval.gateway.proxy;

import dev.serval.gateway.relay.ContentFraming;
import dev.serval.http.Fields;
import dev.serval.http1.ResponseEncoder;
import dev.serval.net.Output;
import java.nio.ByteBuffer;

/// The content of a request as chunks (RFC 9112 §7.1), for content whose length is not known.
/// Owned by one loop.
final class ChunkedFraming implements ContentFraming {
    private static final byte[] HEX = {
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
    };

    private final ForwardHead head;

    /// @param head decides which trailers are forwarded
    ChunkedFraming(ForwardHead head) {
        this.head = head;
    }

    @Override
    public void part(Output out, ByteBuffer buffer) {
        int at = buffer.position();
        int end = buffer.limit();
        buffer.limit(end + 2).put(end, (byte) '\r').put(end + 1, (byte) '\n');
        buffer.put(--at, (byte) '\n').put(--at, (byte) '\r');
        for (int size = end - buffer.position(); size > 0; size >>>= 4) {
            buffer.put(--at, HEX[size & 0xf]);
        }
        buffer.position(at);
        out.write(buffer, null);
    }

    @Override
    public void end(Output out, Fields trailers) {
        Fields kept = trailers.size() == 0 ? trailers : head.trailers(trailers);
        ByteBuffer into = out.room(ResponseEncoder.lastChunkBound(kept));
        ResponseEncoder.lastChunk(into, kept);
    }
}
