package dev.serval.exchange;

import dev.serval.handler.Fault;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The content of a request, for any protocol: its limit, `100 Continue`, its reader and its
/// failure. The same object serves the next exchange.
///
/// ```
///   UNREAD ── first read ──▶ READ ── broken, lost ──▶ FAILED
///     └──────────── too large, broken, lost ─────────▶
/// ```
/// Owned by the loop.
final class ServerSource implements Source {
    private enum State {
        UNREAD,
        READ,
        FAILED
    }

    private final ServerExchange exchange;
    private final ContentPort port;
    private State state = State.FAILED;
    private boolean continueOwed;
    private boolean hidden;
    private long announced; // by the head
    private long received;
    private long maxBytes; // the mount's limit, or the listener's
    private Runnable waiting = ServerExchange.NOTHING;

    ServerSource(ServerExchange exchange, ContentPort port) {
        this.exchange = exchange;
        this.port = port;
    }

    /// Starts with a request whose head was read.
    ///
    /// @return an error of the content that the head shows already, or null
    @Nullable ProtocolError begin(RequestHead head) {
        state = State.UNREAD;
        waiting = ServerExchange.NOTHING;
        continueOwed = head.expectsContinue();
        hidden = false;
        received = 0;
        Limits.Contents limits = exchange.service().limits().content();
        maxBytes = limits.maxBytes();
        announced = head.contentLength();
        @Nullable ProtocolError wrong = port.begin(head);
        if (wrong == null && announced > limits.mostBytes()) { // whatever its mount allows
            wrong = ContentLength.TOO_LARGE;
        }
        if (wrong != null) {
            state = State.FAILED;
        }
        return wrong;
    }

    /// Returns whether the content may still be within the limit of the listener.
    boolean fits() {
        return hidden || (announced <= maxBytes && received <= maxBytes);
    }

    /// Sets the limit of the mount that the exchange enters.
    ///
    /// @param most 0 for that of the listener
    /// @return whether the content may still be within it; if not, the content has failed
    boolean limit(long most) {
        maxBytes = most > 0 ? most : exchange.service().limits().content().maxBytes();
        boolean within = fits();
        if (!within) {
            state = State.FAILED;
        }
        return within;
    }

    /// Shows no content to the handlers that follow: the page of an error has none. What the client
    /// has sent stays for the connection.
    void hide() {
        hidden = true;
        waiting = ServerExchange.NOTHING;
    }

    /// Returns the port, for a tunnel.
    ContentPort port() {
        return port;
    }

    @Override
    public int read(ByteBuffer into) {
        exchange.started();
        if (hidden || port.finished()) {
            return END;
        }
        wanted();
        if (state == State.FAILED) {
            return FAILED;
        }
        int before = into.position();
        int n = port.read(into);
        @Nullable ProtocolError error = port.error();
        if (n > 0 && (received += n) > maxBytes) {
            into.position(before);
            error = ContentLength.TOO_LARGE;
            n = FAILED;
        }
        if (error != null) {
            state = State.FAILED;
            exchange.contentFailed(Fault.PROTOCOL, error, ServerExchange.NOTHING);
        } else if (n == FAILED) {
            state = State.FAILED;
            exchange.contentFailed(Fault.PEER_GONE, null, ServerExchange.NOTHING);
        } else if (n == ContentPort.LOST) {
            state = State.FAILED;
            exchange.blame(Fault.PEER_GONE); // the connection ends after this call
            return FAILED;
        }
        return n;
    }

    @Override
    public int available() {
        return hidden || state == State.FAILED ? 0 : port.available();
    }

    @Override
    public void onReadable(Runnable once) {
        exchange.started();
        if (hidden || state == State.FAILED || port.ready()) {
            exchange.later(once);
            return;
        }
        if (exchange.outlastsTurn()) {
            wanted();
            waiting = once;
            port.wantReadable();
            exchange.port().rearm();
        }
    }

    @Override
    public boolean isWhole() {
        return hidden || (state != State.FAILED && port.whole());
    }

    @Override
    public void discard(long maxBytes) {
        exchange.started();
        waiting = ServerExchange.NOTHING;
        port.discard(maxBytes);
    }

    @Override
    public Fields trailers() {
        return port.trailers();
    }

    /// Returns whether the client may still wait for `100 Continue`. It may also send its content
    /// without it.
    boolean continueOwed() {
        return continueOwed;
    }

    /// Returns whether a handler reads the content, which has not failed.
    boolean isRead() {
        return state == State.READ;
    }

    boolean hasFailed() {
        return state == State.FAILED;
    }

    /// Returns whether all content was read or dropped.
    boolean finished() {
        return port.finished();
    }

    boolean isAwaited() {
        return !ServerExchange.NOTHING.equals(waiting);
    }

    /// Marks that no more content will come. Returns the callback that waits for it; the caller
    /// must call it.
    Runnable lost() {
        state = State.FAILED;
        return takeReader();
    }

    /// Returns and clears the callback that waits for content, or [ServerExchange#NOTHING].
    Runnable takeReader() {
        Runnable callback = waiting;
        waiting = ServerExchange.NOTHING;
        return callback;
    }

    /// Sends `100 Continue` if the client may wait for it, since a handler wants the content (RFC
    /// 9110 §10.1.1).
    private void wanted() {
        if (state == State.UNREAD) {
            state = State.READ;
        }
        if (continueOwed) {
            continueOwed = false;
            if (!port.ready()) {
                exchange.sink().sendContinue();
            }
        }
    }
}
