package dev.serval.conn;

import dev.serval.handler.Fault;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The content of a [ToyStream]'s request.
final class ToySource implements Source {
    private static final ProtocolError TOO_LARGE =
            new ProtocolError(
                    Status.CONTENT_TOO_LARGE,
                    "the content is larger than this server takes",
                    "RFC 9110 §15.5.14");
    private static final ProtocolError WRONG_LENGTH =
            new ProtocolError(
                    Status.BAD_REQUEST, "the content is not as long as was said", "RFC 9110 §8.6");

    private final ToyStream stream;
    private final ToyInlet inlet;
    private long expected; // bytes, or unknown
    private boolean failed;
    private boolean continueOwed;
    private @Nullable Runnable waiting;
    private long movedNanos;

    ToySource(ToyStream stream, ToyInlet inlet) {
        this.stream = stream;
        this.inlet = inlet;
    }

    /// Starts with a head that was read.
    ///
    /// @return what is wrong with the content already, or null
    @Nullable ProtocolError begin(RequestHead head) {
        expected = head.contentLength();
        continueOwed = head.expectsContinue();
        failed = expected > stream.carrier().limits().content().maxBytes();
        return failed ? TOO_LARGE : null;
    }

    @Override
    public int read(ByteBuffer into) {
        stream.touched();
        wanted();
        @Nullable ProtocolError wrong = wrong();
        if (wrong != null && !failed) {
            failed = true;
            stream.contentFailed(Fault.PROTOCOL, wrong);
        }
        if (failed) {
            return FAILED;
        }
        int n = inlet.take(into);
        if (n > 0) {
            return n;
        }
        if (inlet.wasCut() && inlet.length() == 0) {
            failed = true;
            stream.contentFailed(Fault.PEER_GONE, null);
            return FAILED;
        }
        return inlet.ended() && inlet.length() == 0 ? END : 0;
    }

    @Override
    public void onReadable(Runnable once) {
        stream.touched();
        if (failed || inlet.length() > 0 || inlet.ended() || inlet.wasCut()) {
            stream.later(once);
            return;
        }
        if (!stream.outlastsTurn()) {
            return;
        }
        wanted();
        waiting = once;
        movedNanos = stream.carrier().now();
        stream.rearm();
    }

    @Override
    public void discard(long maxBytes) {
        stream.touched();
        waiting = null;
        continueOwed = false;
        inlet.dropAll(maxBytes);
    }

    @Override
    public Fields trailers() {
        return inlet.trailers();
    }

    /// Bytes, or their end.
    void readable() {
        @Nullable Runnable callback = waiting;
        waiting = null;
        if (callback != null) {
            stream.call(callback);
        }
    }

    /// All of it was read.
    boolean finished() {
        return inlet.ended() && inlet.length() == 0;
    }

    boolean isWaiting() {
        return waiting != null;
    }

    long movedNanos() {
        return movedNanos;
    }

    void fail(Fault why) {
        failed = true;
        stream.contentFailed(why, null);
    }

    /// No more content will come.
    ///
    /// @return who waits for it, and has to be called
    @Nullable Runnable lost() {
        failed = true;
        return takeReader();
    }

    /// Who waits for content, and waits no more.
    @Nullable Runnable takeReader() {
        @Nullable Runnable callback = waiting;
        waiting = null;
        return callback;
    }

    /// The exchange is over.
    void end() {
        waiting = null;
    }

    private void wanted() {
        if (continueOwed) {
            continueOwed = false;
            if (inlet.received() == 0 && !inlet.ended()) {
                stream.sink().sendContinue();
            }
        }
    }

    private @Nullable ProtocolError wrong() {
        if (inlet.received() > stream.carrier().limits().content().maxBytes()) {
            return TOO_LARGE;
        }
        boolean known = expected != RequestHead.UNKNOWN_LENGTH;
        boolean off = inlet.ended() ? inlet.received() != expected : inlet.received() > expected;
        return known && off ? WRONG_LENGTH : null;
    }
}
