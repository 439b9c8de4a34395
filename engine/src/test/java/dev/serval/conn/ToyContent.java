package dev.serval.conn;

import dev.serval.exchange.ContentLength;
import dev.serval.exchange.ContentPort;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The framing of the content of a [ToyStream]'s request.
final class ToyContent implements ContentPort {
    private final ContentLength length;
    private final ToyInlet inlet;
    private final StreamDeadlines deadlines;
    private boolean tunnel;

    ToyContent(AcceptedConnection accepted, ToyInlet inlet, StreamDeadlines deadlines) {
        this.length = new ContentLength(accepted.service());
        this.inlet = inlet;
        this.deadlines = deadlines;
    }

    @Override
    public @Nullable ProtocolError begin(RequestHead head) {
        length.begin(head);
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
        return tunnel ? null : length.check(inlet.received(), inlet.ended());
    }

    @Override
    public int available() {
        return inlet.length();
    }

    @Override
    public boolean ready() {
        return inlet.length() > 0 || inlet.ended() || inlet.wasCut();
    }

    @Override
    public boolean whole() {
        return inlet.ended();
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
