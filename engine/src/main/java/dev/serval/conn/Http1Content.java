package dev.serval.conn;

import dev.serval.exchange.ContentPort;
import dev.serval.exchange.ServiceLoop;
import dev.serval.handler.Source;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.RequestHead;
import dev.serval.http1.BodyDecoder;
import dev.serval.net.Connection;
import dev.serval.net.Input;
import dev.serval.policy.Limits;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads the content of HTTP/1.1 requests. It decodes the connection's input, and reads more from
/// the socket only while a handler waits for it. One instance serves all requests of a connection
/// in turn. Owned by the connection's loop.
final class Http1Content implements ContentPort {
    /// The meaning of the bytes in the input.
    private enum Mode {
        EMPTY,
        FRAMED,
        TUNNEL
    }

    private final ServiceLoop service;
    private final Connection connection;
    private final Input in;
    private final StreamDeadlines deadlines;
    private @Nullable BodyDecoder decoder; // created for the first request with content
    private Limits.@Nullable Contents bounds; // the decoder's limits
    private Mode mode = Mode.EMPTY;
    private long length;
    private long dropped;
    private int heldBytes; // of trailers, as counted by the pool
    private boolean closed;

    Http1Content(AcceptedConnection accepted, StreamDeadlines deadlines) {
        this.service = accepted.service();
        this.connection = accepted.net();
        this.in = connection.in();
        this.deadlines = deadlines;
    }

    @Override
    public @Nullable ProtocolError begin(RequestHead head) {
        length = head.contentLength();
        mode = length == 0 ? Mode.EMPTY : Mode.FRAMED;
        dropped = 0;
        deadlines.restart();
        if (mode == Mode.EMPTY) {
            return null;
        }
        BodyDecoder present = freshDecoder();
        if (length == RequestHead.UNKNOWN_LENGTH) {
            return lookAhead(present);
        }
        present.fixed(length);
        return null; // the exchange checks the length
    }

    /// Checks the chunks that came with the head, and consumes none. A message that is visibly
    /// broken is refused as a whole (RFC 9112 §7.1), before a handler acts on it or answers without
    /// reading.
    private @Nullable ProtocolError lookAhead(BodyDecoder present) {
        present.chunked();
        present.decode(in.array(), in.from(), in.to(), null);
        hold(present.memoryBytes());
        @Nullable ProtocolError wrong = present.error();
        if (wrong == null) {
            present.chunked();
        }
        return wrong;
    }

    @Override
    public int read(ByteBuffer into) {
        return switch (mode) {
            case EMPTY -> Source.END;
            case FRAMED -> readFramed(into);
            case TUNNEL -> readBytes(into);
        };
    }

    @Override
    public @Nullable ProtocolError error() {
        return mode == Mode.FRAMED ? decoder().error() : null;
    }

    @Override
    public int available() {
        return mode == Mode.EMPTY ? 0 : in.length();
    }

    @Override
    public boolean ready() {
        return in.length() > 0 || in.ended() || (mode != Mode.TUNNEL && finished());
    }

    @Override
    public boolean whole() {
        return switch (mode) {
            case EMPTY -> true;
            case FRAMED ->
                    length != RequestHead.UNKNOWN_LENGTH
                            && in.length() >= length - decoder().contentBytes();
            case TUNNEL -> in.ended();
        };
    }

    @Override
    public boolean finished() {
        return switch (mode) {
            case EMPTY -> true;
            case FRAMED -> decoder().done();
            case TUNNEL -> in.ended() && in.length() == 0;
        };
    }

    @Override
    public void wantReadable() {
        connection.wantRead(true);
        if (mode == Mode.FRAMED) {
            beginReading();
        }
    }

    @Override
    public void discard(long maxBytes) {
        dropped = Math.max(0, limits().discardMaxBytes() - maxBytes);
    }

    @Override
    public Fields trailers() {
        return mode == Mode.FRAMED ? decoder().trailers() : Fields.EMPTY;
    }

    @Override
    public void tunnel() {
        mode = Mode.TUNNEL;
        connection.wantRead(true);
        connection.keepAlive(); // no deadline would find a client that has vanished
    }

    /// Gives up memory that only the request needed.
    void release() {
        if (decoder != null) {
            decoder.release();
            hold(decoder.memoryBytes());
        }
    }

    /// Counts no memory any more, because the connection is closed.
    void close() {
        hold(0);
        closed = true;
    }

    /// Returns the bytes of memory that trailers take.
    int heldBytes() {
        return heldBytes;
    }

    private void hold(int bytes) {
        if (bytes != heldBytes && !closed) {
            connection.net().pool().hold(bytes - heldBytes);
            heldBytes = bytes;
        }
    }

    /// Handles the arrival of bytes, or of their end, while a handler waits.
    ///
    /// @return whether there is something to read now
    boolean arrived() {
        if (mode == Mode.TUNNEL) {
            return true;
        }
        if (in.fill() == 0) {
            return false;
        }
        endReading();
        return true;
    }

    /// Handles the arrival of bytes that no handler waits for. It reads a little so that the end of
    /// the connection is noticed, then pauses reading.
    void readAhead() {
        if (mode == Mode.TUNNEL || in.length() > 0 || in.fill() == Input.END) {
            connection.wantRead(false);
        }
    }

    /// Returns whether the rest of the content is small enough to be read and dropped, so that the
    /// connection can take another request.
    boolean mayDrop() {
        return finished()
                || length == RequestHead.UNKNOWN_LENGTH
                || length - decoder().contentBytes() <= limits().discardMaxBytes() - dropped;
    }

    /// Returns the bytes of content that were read or dropped. Those of a tunnel are none.
    long taken() {
        return mode == Mode.FRAMED ? decoder().contentBytes() : 0;
    }

    /// Drops the content in the input.
    ///
    /// @return whether the connection can take another request
    boolean drop() {
        BodyDecoder present = decoder();
        long before = present.contentBytes();
        in.consume(present.decode(in.array(), in.from(), in.to(), null));
        hold(present.memoryBytes());
        dropped += present.contentBytes() - before;
        return present.error() == null && dropped <= limits().discardMaxBytes();
    }

    /// Notes that we wait for content.
    void beginReading() {
        deadlines.beginReading(in.received());
    }

    /// Notes that we no longer wait for content.
    void endReading() {
        deadlines.endReading(in.received());
    }

    private int readFramed(ByteBuffer into) {
        int n = decode(into);
        if (n != 0 || !into.hasRemaining() || in.length() > 0 || in.ended()) {
            return n;
        }
        return in.fill() == Input.LOST ? LOST : decode(into);
    }

    private int decode(ByteBuffer into) {
        BodyDecoder present = decoder();
        int before = into.position();
        in.consume(present.decode(in.array(), in.from(), in.to(), into));
        hold(present.memoryBytes());
        int n = into.position() - before;
        if (n > 0) {
            return n;
        }
        if (present.error() != null) {
            return Source.FAILED;
        }
        if (present.done()) {
            return Source.END;
        }
        return in.ended() ? Source.FAILED : 0;
    }

    private int readBytes(ByteBuffer into) {
        if (in.length() == 0) {
            int n = in.fill();
            if (n == Input.LOST) {
                return LOST;
            }
            if (n == Input.END) {
                return Source.END;
            }
        }
        int n = Math.min(in.length(), into.remaining());
        into.put(in.array(), in.from(), n);
        in.consume(n);
        return n;
    }

    private Limits.Contents limits() {
        return service.limits().content();
    }

    private BodyDecoder decoder() {
        if (decoder == null) {
            throw new IllegalStateException("Cannot decode content: this request has none");
        }
        return decoder;
    }

    /// Returns the decoder, or a new one if the limits have changed.
    private BodyDecoder freshDecoder() {
        Limits.Contents inForce = limits();
        if (decoder == null || !inForce.equals(bounds)) {
            decoder = new BodyDecoder(inForce);
            hold(0);
            bounds = inForce;
        }
        return decoder;
    }
}
