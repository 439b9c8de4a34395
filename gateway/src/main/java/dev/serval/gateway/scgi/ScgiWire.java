package dev.serval.gateway.scgi;

import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.gateway.cgi.VariableForm;
import dev.serval.gateway.output.OutputCodec;
import dev.serval.gateway.output.OutputWire;
import dev.serval.gateway.relay.ContentFraming;
import dev.serval.net.Output;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// The SCGI protocol: the variables as a netstring, `LENGTH:…,`, then the content. CONTENT_LENGTH
/// is the first variable. Stateless.
final class ScgiWire implements OutputWire {
    static final ScgiWire INSTANCE = new ScgiWire();

    private static final int AROUND_BYTES = 12; // the length, ":" and ","
    private static final int ROOM_MAX_BYTES = 16 << 10;

    private ScgiWire() {}

    @Override
    public VariableForm form() {
        return VariableForm.NUL_PAIRS;
    }

    @Override
    public void addOwn(VariableBuffer out) {
        out.add("SCGI", "1");
    }

    @Override
    public void begin(Output out, VariableBuffer variables) {
        int bytes = variables.length() + AROUND_BYTES;
        ByteBuffer into = bytes <= ROOM_MAX_BYTES ? out.room(bytes) : ByteBuffer.allocate(bytes);
        write(into, variables);
        if (bytes > ROOM_MAX_BYTES) {
            out.write(into.flip(), null);
        }
    }

    /// Writes the netstring.
    static void write(ByteBuffer into, VariableBuffer variables) {
        String length = Integer.toString(variables.length());
        into.put(length.getBytes(StandardCharsets.US_ASCII)).put((byte) ':');
        into.put(variables.array(), 0, variables.length()).put((byte) ',');
    }

    @Override
    public ContentFraming framing() {
        return ContentFraming.PLAIN;
    }

    @Override
    public OutputCodec newCodec() {
        return new ScgiOutput();
    }

    @Override
    public boolean keepsConnections() {
        return false;
    }
}
