package dev.serval.gateway.fastcgi;

import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.gateway.cgi.VariableForm;
import dev.serval.gateway.output.OutputCodec;
import dev.serval.gateway.output.OutputWire;
import dev.serval.gateway.relay.ContentFraming;
import dev.serval.net.Output;
import java.nio.ByteBuffer;

/// FastCGI 1.0 in the role of a responder, one request at a time on a connection. Stateless.
final class FastcgiWire implements OutputWire {
    private static final FastcgiWire KEPT = new FastcgiWire(true);
    private static final FastcgiWire CLOSED = new FastcgiWire(false);

    private static final int ROOM_MAX_BYTES = 16 << 10;

    private final boolean keeps;

    private FastcgiWire(boolean keeps) {
        this.keeps = keeps;
    }

    /// Returns the protocol with or without kept connections (§3.5, FCGI_KEEP_CONN).
    static FastcgiWire of(boolean keepsConnections) {
        return keepsConnections ? KEPT : CLOSED;
    }

    @Override
    public VariableForm form() {
        return VariableForm.LENGTHS;
    }

    @Override
    public void addOwn(VariableBuffer out) {}

    @Override
    public void begin(Output out, VariableBuffer variables) {
        int bytes = RecordWriter.BEGIN_BYTES + RecordWriter.paramsBytes(variables.length());
        ByteBuffer into = bytes <= ROOM_MAX_BYTES ? out.room(bytes) : ByteBuffer.allocate(bytes);
        RecordWriter.begin(into, keeps);
        RecordWriter.params(into, variables.array(), variables.length());
        if (bytes > ROOM_MAX_BYTES) {
            out.write(into.flip(), null);
        }
    }

    @Override
    public ContentFraming framing() {
        return StdinFraming.INSTANCE;
    }

    @Override
    public OutputCodec newCodec() {
        return new RecordDecoder();
    }

    @Override
    public boolean keepsConnections() {
        return keeps;
    }
}
