package dev.serval.http1;

import dev.serval.http.Fields;
import dev.serval.http.FieldsWriter;
import dev.serval.http.HttpVersion;
import dev.serval.http.Status;

/// The head of a response that came from another server: status, fields, and how its content is
/// framed. Filled by [ResponseParser], used again for the next response; its bytes are its own.
/// Owned by the connection to that server.
public final class ReceivedHead {
    private final FieldsWriter fields = new FieldsWriter();
    private Status status = Status.OK;
    private HttpVersion version = HttpVersion.HTTP_1_1;
    private Framing framing = Framing.NONE;
    private long contentLength;
    private boolean persistent;

    /// Nothing received yet.
    public ReceivedHead() {}

    /// The status with our reason phrase: what the server wrote there means nothing (RFC 9112 §4).
    public Status status() {
        return status;
    }

    /// The version of the message.
    public HttpVersion version() {
        return version;
    }

    /// The fields as they were sent, those for this connection alone included.
    public Fields fields() {
        return fields.fields();
    }

    /// How the end of the content is told; [Framing#NONE] where the request or the status says that
    /// there is none (RFC 9112 §6.3).
    public Framing framing() {
        return framing;
    }

    /// What Content-Length says, in answers to HEAD and in 304 too; -1 where it is not there.
    public long contentLength() {
        return contentLength;
    }

    /// Whether the connection may take another request after this response. Never for what opens a
    /// tunnel: 101, and 2xx to CONNECT.
    public boolean persistent() {
        return persistent;
    }

    FieldsWriter writer() {
        return fields;
    }

    void line(HttpVersion version, Status status) {
        this.version = version;
        this.status = status;
    }

    void content(Framing framing, long contentLength, boolean persistent) {
        this.framing = framing;
        this.contentLength = contentLength;
        this.persistent = persistent;
    }
}
