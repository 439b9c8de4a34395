package dev.serval.http1;

import dev.serval.codec.CodecKey;
import dev.serval.http.Fields;
import dev.serval.http.FieldsWriter;
import dev.serval.http.HttpVersion;
import dev.serval.http.Status;

/// The head of a response from another server: status, fields, and the framing of its content.
/// [ResponseParser] fills it again for each response. It owns a copy of its bytes. Owned by the
/// connection to that server.
public final class ReceivedHead {
    private final FieldsWriter fields = new FieldsWriter(CodecKey.KEY);
    private Status status = Status.OK;
    private HttpVersion version = HttpVersion.HTTP_1_1;
    private Framing framing = Framing.NONE;
    private long contentLength;
    private boolean persistent;

    /// Creates an empty head.
    public ReceivedHead() {}

    /// Returns the status with Serval's reason phrase. The server's phrase has no meaning
    /// (RFC 9112 §4).
    public Status status() {
        return status;
    }

    /// Returns the version of the message.
    public HttpVersion version() {
        return version;
    }

    /// Returns the fields as they were sent, including those that concern only this connection.
    public Fields fields() {
        return fields.fields();
    }

    /// Returns the framing of the content; [Framing#NONE] if the request or the status excludes
    /// content (RFC 9112 §6.3).
    public Framing framing() {
        return framing;
    }

    /// Returns the value of Content-Length, also in answers to HEAD and in 304; -1 if there is
    /// none.
    public long contentLength() {
        return contentLength;
    }

    /// Returns whether the connection may take another request after this response. False for a
    /// response that opens a tunnel: 101, and 2xx to CONNECT.
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
