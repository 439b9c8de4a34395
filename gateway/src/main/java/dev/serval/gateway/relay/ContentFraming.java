package dev.serval.gateway.relay;

import dev.serval.http.Fields;
import dev.serval.net.Output;
import java.nio.ByteBuffer;

/// Writes the content of a request in the form of a protocol. Stateless.
public interface ContentFraming {
    /// The bytes before the content in the buffer of [#part] that are free for a head.
    int HEAD_ROOM = 16;

    /// The bytes after the content that are free for an end.
    int END_ROOM = 8;

    /// Writes one piece of content. `Output` copies it before it returns.
    ///
    /// @param buffer has the content from its position to its limit, with the room of [#HEAD_ROOM]
    ///     and [#END_ROOM] around it
    void part(Output out, ByteBuffer buffer);

    /// Writes what stands before a part of collected content, which the caller writes next.
    ///
    /// @param length of the part, from 1 to 65,535 bytes
    default void beginPart(Output out, int length) {}

    /// Writes what follows the last piece.
    ///
    /// @param trailers of the request; not all protocols have them
    void end(Output out, Fields trailers);

    /// Content as it is, whose length the head of the request has told.
    ContentFraming PLAIN =
            new ContentFraming() {
                @Override
                public void part(Output out, ByteBuffer buffer) {
                    out.write(buffer, null);
                }

                @Override
                public void end(Output out, Fields trailers) {}
            };
}
