package dev.serval.conn;

import dev.serval.exchange.ResponsePort;
import dev.serval.handler.Body;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.HttpVersion;
import dev.serval.http.RequestHead;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http1.Framing;
import dev.serval.http1.Persistence;
import dev.serval.http1.ResponseEncoder;
import dev.serval.net.Connection;
import dev.serval.net.Output;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Writes HTTP/1.1 responses. It chooses the framing, and announces in the head whether the
/// connection stays open (RFC 9112 §6.3, §9.3). One instance serves all responses of a connection
/// in turn. Owned by the connection's loop.
final class Http1Response implements ResponsePort {
    /// Decides whether the connection stays open after a response.
    @FunctionalInterface
    interface Reuse {
        /// Returns whether the connection may stay open. Called before a head is sent whose framing
        /// does not itself end the connection.
        boolean mayPersist();
    }

    /// The least room for content that is read into it: a smaller piece would not be worth the
    /// system call.
    private static final int DIRECT_LEAST_BYTES = 16 << 10;

    private final HttpLoop http;
    private final AcceptedConnection accepted;
    private final Connection connection;
    private final Output out;
    private final Reuse reuse;
    private HttpVersion version = HttpVersion.HTTP_1_1;
    private Framing framing = Framing.NONE;
    private boolean readable; // whether the request's head was
    private boolean tunnel;
    private boolean persistent;
    private boolean endsWithClient; // and no head was sent

    Http1Response(HttpLoop http, AcceptedConnection accepted, Reuse reuse) {
        this.http = http;
        this.accepted = accepted;
        this.connection = accepted.net();
        this.out = connection.out();
        this.reuse = reuse;
    }

    /// Starts the response to a request, or to a head that could not be read (null).
    void begin(@Nullable RequestHead request) {
        readable = request != null;
        version = request == null ? HttpVersion.HTTP_1_1 : request.version();
        framing = Framing.NONE;
        tunnel = false;
        persistent = false;
        endsWithClient = false;
    }

    /// Notes that nobody needs the response after the client has ended its half.
    void endWithClient() {
        endsWithClient = true;
    }

    /// Returns whether nobody needs the response after the client has ended its half: the exchange
    /// says so, nothing of the response was sent, and no earlier one still has to be.
    boolean endsWithClient() {
        return endsWithClient && out.isEmpty();
    }

    /// Returns whether this response allows the connection to stay open.
    boolean persistent() {
        return persistent;
    }

    @Override
    public boolean interim(Status status, Fields fields) {
        if (!speaks11()) {
            return false;
        }
        encoder().interim(out.room(encoder().interimBound(status, fields)), status, fields);
        return true;
    }

    @Override
    public void head(ResponseHead head, boolean suppressed) {
        endsWithClient = false;
        if (head.status().withoutContent()) {
            framing = Framing.NONE;
        } else if (head.contentLength() != ResponseHead.UNKNOWN_LENGTH) {
            framing = Framing.LENGTH;
        } else {
            framing = speaks11() ? Framing.CHUNKED : Framing.CLOSE;
        }
        boolean saysClose = ResponseEncoder.saysClose(head); // so do it (RFC 9112 §9.6)
        persistent = readable && framing != Framing.CLOSE && !saysClose && reuse.mayPersist();
        Persistence told =
                !persistent && !saysClose
                        ? Persistence.CLOSE
                        : speaks11() || saysClose ? Persistence.KEEP : Persistence.KEEP_1_0;
        encode(head, told);
    }

    @Override
    public void content(Body part) {
        if (framing == Framing.CHUNKED) {
            ResponseEncoder.chunkHead(out.room(ResponseEncoder.CHUNK_HEAD_MAX), part.length());
            PartWriter.write(out, part);
            ResponseEncoder.chunkEnd(out.room(ResponseEncoder.CHUNK_END));
        } else {
            PartWriter.write(out, part);
        }
    }

    @Override
    public @Nullable ByteBuffer direct() {
        return framing == Framing.CHUNKED ? null : out.room(DIRECT_LEAST_BYTES);
    }

    @Override
    public boolean takesHeld() {
        return framing != Framing.CHUNKED && out.sendsConduits();
    }

    @Override
    public void end(Fields trailers, Ending ending, boolean suppressed) {
        if (tunnel) {
            connection.endOutput();
            return;
        }
        if (ending == Ending.SHORT && framing == Framing.CLOSE) {
            connection.abort(); // a regular end of the connection would be that of the content
        } else if (framing == Framing.CHUNKED && !suppressed && ending != Ending.SHORT) {
            ResponseEncoder.lastChunk(out.room(ResponseEncoder.lastChunkBound(trailers)), trailers);
        }
        persistent &= ending == Ending.WHOLE;
    }

    @Override
    public void reset() {
        persistent = false;
        connection.abort();
    }

    @Override
    public void upgrade(ResponseHead head) {
        tunnel = true;
        endsWithClient = false; // each half of a tunnel ends by itself
        framing = Framing.NONE;
        encode(head.status().code() == 101 ? switching(head) : head, Persistence.KEEP);
    }

    @Override
    public long room() {
        return accepted.room(out.backlog());
    }

    @Override
    public void wantWritable() {
        connection.wantDrained();
    }

    /// Adds `Connection: upgrade`, because Upgrade concerns only this connection (RFC 9110 §7.8).
    private static ResponseHead switching(ResponseHead head) {
        Fields fields = Fields.of(FieldName.CONNECTION, "upgrade").addAll(head.fields());
        return new ResponseHead(head.status(), fields, ResponseHead.UNKNOWN_LENGTH);
    }

    private void encode(ResponseHead head, Persistence told) {
        ByteBuffer into = out.room(encoder().headBound(head));
        encoder().head(into, head, framing, told, http.dateLine());
    }

    private boolean speaks11() {
        return version != HttpVersion.HTTP_1_0;
    }

    private ResponseEncoder encoder() {
        return http.encoder();
    }
}
