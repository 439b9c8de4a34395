package dev.serval.conn;

import dev.serval.handler.Body;
import dev.serval.net.Output;

/// Queues pieces of content in a connection's output. Stateless.
final class PartWriter {
    private PartWriter() {}

    /// Queues `part`, which the output releases later. An empty piece is released at once.
    static void write(Output out, Body part) {
        if (part instanceof Body.Bytes bytes) {
            out.write(bytes.buffer(), bytes.released());
        } else if (part instanceof Body.FileRegion region) {
            out.write(
                    region.file(),
                    region.position(),
                    region.length(),
                    region.released(),
                    region.intact());
        } else if (part instanceof Body.Held held) {
            out.write(held.source(), held.length(), held.released());
        } else {
            part.release();
        }
    }
}
