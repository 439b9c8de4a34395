package dev.serval.gateway.scgi;

import dev.serval.gateway.output.OutputCodec;
import dev.serval.gateway.output.OutputEvent;
import dev.serval.http.ProtocolError;
import org.jspecify.annotations.Nullable;

/// The answer of an SCGI server: all its bytes are output, until it closes the connection. Owned by
/// one loop.
final class ScgiOutput implements OutputCodec {
    private int consumed;
    private int from;

    @Override
    public void reset() {
        consumed = 0;
    }

    @Override
    public OutputEvent next(byte[] buffer, int from, int to, int contentMax) {
        this.from = from;
        consumed = Math.min(to - from, contentMax);
        return consumed == 0 ? OutputEvent.MORE : OutputEvent.OUTPUT;
    }

    @Override
    public int consumed() {
        return consumed;
    }

    @Override
    public int contentFrom() {
        return from;
    }

    @Override
    public int contentTo() {
        return from + consumed;
    }

    @Override
    public Outcome outcome() {
        return Outcome.COMPLETE;
    }

    @Override
    public boolean endsWithConnection() {
        return true;
    }

    @Override
    public @Nullable ProtocolError error() {
        return null;
    }
}
