package dev.serval.http;

import org.jspecify.annotations.Nullable;

/// The head of a response: status, fields, and how much content follows. Immutable once made, so it
/// may be sent many times by many loops; a codec keeps its wire form with it. The fields cannot be
/// changed from then on. They hold none of what the connection adds itself: Date, Connection,
/// Content-Length, Transfer-Encoding.
public final class ResponseHead {
    /// [#contentLength] of content whose end is known only when it has been written.
    public static final long UNKNOWN_LENGTH = -1;

    private final Status status;
    private final Fields fields;
    private final long contentLength;
    private volatile byte @Nullable [] wireForm;

    /// A head. It freezes `fields`: whoever changes them later gets an [IllegalStateException].
    /// Received fields are copied.
    ///
    /// @param contentLength bytes of content, [#UNKNOWN_LENGTH] where it is not known yet. For
    ///     HEAD and 304 what the answer to GET would have
    /// @throws IllegalArgumentException for fields that belong to the connection
    public ResponseHead(Status status, Fields fields, long contentLength) {
        refuse(fields, FieldName.CONTENT_LENGTH);
        refuse(fields, FieldName.TRANSFER_ENCODING);
        if (contentLength < UNKNOWN_LENGTH) {
            throw new IllegalArgumentException("A content length is 0 or more: " + contentLength);
        }
        this.status = status;
        this.fields = fields.frozen();
        this.contentLength = contentLength;
    }

    /// The status.
    public Status status() {
        return status;
    }

    /// The fields, which cannot be changed.
    public Fields fields() {
        return fields;
    }

    /// Bytes of content, or [#UNKNOWN_LENGTH].
    public long contentLength() {
        return contentLength;
    }

    /// This head for content of that length.
    public ResponseHead withContentLength(long bytes) {
        return new ResponseHead(status, fields, bytes);
    }

    /// What a codec left with [#keepWireForm], or null.
    public byte @Nullable [] wireForm() {
        return wireForm;
    }

    /// Keeps the bytes a codec made of status and fields, for the next time. Any thread; the same
    /// head always makes the same bytes, so whose stay does not matter.
    public void keepWireForm(byte[] bytes) {
        wireForm = bytes;
    }

    private static void refuse(Fields fields, FieldName name) {
        if (fields.contains(name)) {
            throw new IllegalArgumentException(
                    name
                            + " belongs to the connection: give the length of the content to the"
                            + " ResponseHead instead (RFC 9110 §8.6, RFC 9112 §6)");
        }
    }
}
