package dev.serval.gateway.output;

import dev.serval.gateway.cgi.OutputLimits;
import dev.serval.gateway.cgi.OutputMode;
import dev.serval.gateway.cgi.OutputParser;
import dev.serval.gateway.cgi.OwnVariable;
import dev.serval.gateway.cgi.VariableBuffer;
import dev.serval.gateway.relay.ContentPump;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the requests of one mount share on one loop. Owned by the loop.
final class OutputLoop {
    private static final int SPARE_MAX = 64;

    /// The codecs of one request.
    record Codecs(OutputCodec wire, OutputParser output, ErrorText errors) {}

    final VariableBuffer variables;
    final ByteBuffer pumpBuffer = ContentPump.newBuffer();
    private final OutputWire wire;
    private final ArrayDeque<Codecs> spare = new ArrayDeque<>();

    OutputLoop(OutputWire wire, List<OwnVariable> own) {
        this.wire = wire;
        this.variables = new VariableBuffer(wire.form(), own);
    }

    /// Lends codecs that are ready for a request.
    Codecs lend() {
        @Nullable Codecs known = spare.pollLast();
        Codecs codecs =
                known != null
                        ? known
                        : new Codecs(
                                wire.newCodec(),
                                new OutputParser(OutputLimits.DEFAULT, OutputMode.STRICT),
                                new ErrorText());
        codecs.wire().reset();
        codecs.output().reset();
        codecs.errors().clear();
        return codecs;
    }

    void giveBack(Codecs codecs) {
        if (spare.size() < SPARE_MAX) {
            spare.addLast(codecs);
        }
    }
}
