package dev.serval.gateway.fastcgi;

import dev.serval.gateway.relay.ContentFraming;
import dev.serval.http.Fields;
import dev.serval.net.Output;
import java.nio.ByteBuffer;

/// The content of a request as STDIN records (FastCGI 1.0 §5.3). Stateless.
final class StdinFraming implements ContentFraming {
    static final StdinFraming INSTANCE = new StdinFraming();

    private StdinFraming() {}

    @Override
    public void part(Output out, ByteBuffer buffer) {
        int length = buffer.remaining();
        int start = buffer.position() - RecordWriter.HEAD_BYTES;
        buffer.position(start);
        RecordWriter.head(buffer, RecordType.STDIN, length);
        buffer.position(start);
        out.write(buffer, null);
    }

    @Override
    public void beginPart(Output out, int length) {
        RecordWriter.head(out.room(RecordWriter.HEAD_BYTES), RecordType.STDIN, length);
    }

    @Override
    public void end(Output out, Fields trailers) {
        RecordWriter.head(out.room(RecordWriter.HEAD_BYTES), RecordType.STDIN, 0);
    }
}
