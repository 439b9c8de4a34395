package dev.serval.http1;

import dev.serval.http.ProtocolError;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Drives a [BodyDecoder] with content that arrives in pieces, into a buffer with room for a few
/// bytes at a time.
final class BodyReader implements Cuts.Reader {
    private final BodyDecoder decoder;
    private final Consumer<BodyDecoder> start;
    private final int room;

    /// Creates a reader of messages that begin with `start`.
    ///
    /// @param room number of content bytes decoded at a time; 0 to drop them
    BodyReader(Limits.Contents limits, Consumer<BodyDecoder> start, int room) {
        this.decoder = new BodyDecoder(limits);
        this.start = start;
        this.room = room;
    }

    @Override
    public String read(byte[] bytes, int[] ends) {
        start.accept(decoder);
        StringBuilder content = new StringBuilder();
        int at = 0;
        for (int end : ends) {
            byte[] arrived = Arrays.copyOf(bytes, end); // no later byte can be read
            at += decodeAll(arrived, at, content);
        }
        @Nullable ProtocolError wrong = decoder.error();
        if (wrong != null) {
            return wrong.toString();
        }
        String left = new String(bytes, at, bytes.length - at, StandardCharsets.ISO_8859_1);
        return content
                + "/"
                + decoder.contentBytes()
                + (decoder.done() ? " done" : decoder.end() ? " ended" : " more")
                + (left.isEmpty() ? "" : " left=" + left)
                + (decoder.trailers().size() == 0 ? "" : " " + decoder.trailers());
    }

    BodyDecoder decoder() {
        return decoder;
    }

    private int decodeAll(byte[] arrived, int from, StringBuilder content) {
        int at = from;
        int taken = 1;
        while (taken > 0 && at < arrived.length) {
            @Nullable ByteBuffer into = room == 0 ? null : ByteBuffer.allocate(room);
            taken = decoder.decode(arrived, at, arrived.length, into);
            at += taken;
            if (into != null) {
                content.append(
                        new String(into.array(), 0, into.position(), StandardCharsets.ISO_8859_1));
            }
        }
        return at - from;
    }
}
