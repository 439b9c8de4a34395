package dev.serval.conn;

import dev.serval.handler.Fault;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http.Status;
import dev.serval.http1.BodyDecoder;
import dev.serval.net.Input;
import dev.serval.policy.Counter;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The content of an HTTP/1.1 request: decodes what is in the connection's input, and asks the
/// socket for more only while somebody waits for it. Reused from request to request.
final class Http1Source implements Source {
    private static final ProtocolError TOO_LARGE =
            new ProtocolError(
                    Status.CONTENT_TOO_LARGE,
                    "the content is larger than this server takes",
                    "RFC 9110 §15.5.14");

    private final Http1Connection connection;
    private final Http1Exchange exchange;
    private final Input in;
    private @Nullable BodyDecoder decoder; // made for the first request that has content
    private boolean empty = true;
    private boolean failed;
    private boolean started; // somebody reads
    private boolean continueOwed;
    private long dropped;
    private @Nullable Runnable waiting;

    Http1Source(Http1Connection connection, Http1Exchange exchange) {
        this.connection = connection;
        this.exchange = exchange;
        this.in = connection.net().in();
    }

    /// Starts with a request whose head was read.
    ///
    /// @return what is wrong with its content already, or null
    @Nullable ProtocolError begin(RequestHead head) {
        empty = head.contentLength() == 0;
        failed = false;
        started = false;
        dropped = 0;
        waiting = null;
        connection.deadlines().resetReading();
        continueOwed = head.expectsContinue();
        if (empty) {
            return null;
        }
        BodyDecoder present = decoder();
        if (head.contentLength() == RequestHead.UNKNOWN_LENGTH) {
            return lookAhead(present);
        }
        present.fixed(head.contentLength());
        failed = head.contentLength() > limits().maxBytes();
        return failed ? TOO_LARGE : null;
    }

    /// Looks at the chunks that came with the head, and takes none: a message that is seen to be
    /// broken is refused whole (RFC 9112 §7.1), before a handler acts on it or answers without
    /// reading.
    private @Nullable ProtocolError lookAhead(BodyDecoder present) {
        present.chunked();
        present.decode(in.array(), in.from(), in.to(), null);
        @Nullable ProtocolError wrong = present.error();
        failed = wrong != null;
        present.chunked();
        return wrong;
    }

    @Override
    public int read(ByteBuffer into) {
        exchange.touched();
        if (empty) {
            return END;
        }
        wanted();
        int n = decode(into);
        if (n == 0 && into.hasRemaining() && in.length() == 0) {
            fill();
            n = decode(into);
        }
        return n;
    }

    @Override
    public void onReadable(Runnable once) {
        exchange.touched();
        if (empty || failed || in.length() > 0 || in.ended() || decoder().done()) {
            exchange.later(once);
            return;
        }
        if (!exchange.outlastsTurn()) {
            return;
        }
        wanted();
        waiting = once;
        connection.net().wantRead(true);
        connection.deadlines().beginReading();
        connection.resumed();
    }

    @Override
    public void discard(long maxBytes) {
        exchange.touched();
        waiting = null;
        dropped = Math.max(0, limits().discardMaxBytes() - maxBytes);
    }

    @Override
    public Fields trailers() {
        @Nullable BodyDecoder present = decoder;
        return empty || present == null ? Fields.EMPTY : present.trailers();
    }

    /// Net has something, or the end.
    void readable() {
        @Nullable Runnable callback = waiting;
        if (callback == null) {
            readAhead();
            return;
        }
        if (in.fill() == 0) {
            return;
        }
        waiting = null;
        connection.deadlines().endReading();
        exchange.call(callback);
    }

    /// Nobody waits for bytes: a little is taken so that the end of the connection shows, then
    /// reading pauses.
    private void readAhead() {
        if (in.length() > 0 || in.fill() == Input.END) {
            connection.net().wantRead(false);
        }
    }

    /// All of the content was read or dropped.
    boolean finished() {
        @Nullable BodyDecoder present = decoder;
        return empty || (present != null && present.done());
    }

    /// Whether the connection may be promised to go on while the content is not finished: somebody
    /// reads it, or what is left can be dropped.
    boolean mayFinish(RequestHead head) {
        return worthFinishing(head) || (started && !failed && !continueOwed);
    }

    /// Whether what is left of the content is worth reading so that the connection can go on.
    boolean worthFinishing(RequestHead head) {
        if (finished()) {
            return true;
        }
        if (failed || continueOwed) {
            return false; // a client that waits for 100 may send its content, or may not
        }
        long length = head.contentLength();
        return length == RequestHead.UNKNOWN_LENGTH
                || length - decoder().contentBytes() <= limits().discardMaxBytes() - dropped;
    }

    /// Drops what is here.
    ///
    /// @return whether the connection can go on
    boolean drop() {
        BodyDecoder present = decoder();
        long before = present.contentBytes();
        in.consume(present.decode(in.array(), in.from(), in.to(), null));
        dropped += present.contentBytes() - before;
        if (present.error() != null) {
            connection.metrics().count(Counter.PROTOCOL_ERRORS);
            return false;
        }
        return dropped <= limits().discardMaxBytes();
    }

    /// Whoever reads is told that the content will never be complete.
    void fail(Fault why) {
        exchange.contentFailed(why, null, lost());
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

    /// Somebody waits for the content, so the client need not (RFC 9110 §10.1.1).
    private void wanted() {
        started = true;
        if (continueOwed) {
            continueOwed = false;
            if (in.length() == 0) {
                exchange.sink().sendContinue();
            }
        }
    }

    private int decode(ByteBuffer into) {
        if (failed) {
            return FAILED;
        }
        BodyDecoder present = decoder();
        int before = into.position();
        in.consume(present.decode(in.array(), in.from(), in.to(), into));
        @Nullable ProtocolError error = present.error();
        if (error != null) {
            failed = true;
            exchange.contentFailed(Fault.PROTOCOL, error);
        }
        int n = into.position() - before;
        if (n > 0) {
            return n;
        }
        if (failed) {
            return FAILED;
        }
        if (present.done()) {
            return END;
        }
        if (in.ended()) {
            failed = true;
            exchange.contentFailed(Fault.PEER_GONE, null);
            return FAILED;
        }
        return 0;
    }

    private void fill() {
        if (in.fill() == Input.LOST) {
            failed = true;
        }
    }

    private Limits.Contents limits() {
        return connection.limits().content();
    }

    private BodyDecoder decoder() {
        BodyDecoder present = decoder;
        if (present == null) {
            present = new BodyDecoder(limits());
            decoder = present;
        }
        return present;
    }
}
