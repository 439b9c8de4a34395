package dev.serval.conn;

import dev.serval.exchange.ContentPort;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The framing of the content of a [ToyStream]'s request.
final class ToyContent implements ContentPort {
    private static final ProtocolError TOO_LARGE =
            new ProtocolError(
                    Status.CONTENT_TOO_LARGE,
                    "the content is larger than this server accepts",
                    "RFC 9110 §15.5.14");
    private static final ProtocolError WRONG_LENGTH =
            new ProtocolError(
                    Status.BAD_REQUEST,
                    "the content does not have its announced length",
                    "RFC 9110 §8.6");

    private final AcceptedConnection accepted;
    private final ToyInlet inlet;
    private final StreamDeadlines deadlines;
    private long expected; // bytes, or unknown
    private boolean tunnel;

    ToyContent(AcceptedConnection accepted, ToyInlet inlet, StreamDeadlines deadlines) {
        this.accepted = accepted;
        this.inlet = inlet;
        this.deadlines = deadlines;
    }

    @Override
    public @Nullable ProtocolError begin(RequestHead head) {
        expected = head.contentLength();
        return null;
    }

    @Override
    public int read(ByteBuffer into) {
        if (error() != null) {
            return Source.FAILED;
        }
        int n = inlet.take(into);
        if (n > 0 || inlet.length() > 0) {
            return n;
        }
        if (inlet.wasCut()) {
            return tunnel ? Source.END : Source.FAILED;
        }
        return inlet.ended() ? Source.END : 0;
    }

    @Override
    public @Nullable ProtocolError error() {
        if (tunnel) {
            return null;
        }
        if (inlet.received() > accepted.limits().content().maxBytes()) {
            return TOO_LARGE;
        }
        boolean known = expected != RequestHead.UNKNOWN_LENGTH;
        boolean off = inlet.ended() ? inlet.received() != expected : inlet.received() > expected;
        return known && off ? WRONG_LENGTH : null;
    }

    @Override
    public boolean ready() {
        return inlet.length() > 0 || inlet.ended() || inlet.wasCut();
    }

    @Override
    public boolean finished() {
        if (tunnel) {
            return inlet.length() == 0 && (inlet.ended() || inlet.wasCut());
        }
        return inlet.ended() && inlet.length() == 0 && error() == null;
    }

    @Override
    public void wantReadable() {
        if (!tunnel) {
            deadlines.beginReading(inlet.received());
        }
    }

    @Override
    public void tunnel() {
        tunnel = true;
    }

    @Override
    public void discard(long maxBytes) {
        inlet.dropAll(maxBytes);
    }

    @Override
    public Fields trailers() {
        return inlet.trailers();
    }
}
