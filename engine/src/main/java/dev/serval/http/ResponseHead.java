package dev.serval.http;

import org.jspecify.annotations.Nullable;

/// The head of a response: status, fields and length of the content. Immutable, so many loops may
/// send it many times. Each codec caches its own wire form in it. The connection adds Date, Connection,
/// Content-Length and Transfer-Encoding itself.
public final class ResponseHead {
    /// The wire forms of one head: usually one, because most heads travel by one protocol.
    private record Kept(WireFormat format, byte[] bytes, @Nullable Kept next) {
        byte @Nullable [] find(WireFormat asked) {
            @Nullable Kept at = this;
            while (at != null && at.format != asked) {
                at = at.next;
            }
            return at == null ? null : at.bytes;
        }

        /// Returns the wire forms without that of `format`, as a list of few.
        static @Nullable Kept without(WireFormat format, @Nullable Kept kept) {
            if (kept == null || kept.format == format) {
                return kept == null ? null : kept.next;
            }
            return new Kept(kept.format, kept.bytes, without(format, kept.next));
        }
    }

    /// The [#contentLength] of content whose length is unknown before it ends.
    public static final long UNKNOWN_LENGTH = -1;

    private final Status status;
    private final Fields fields;
    private final long contentLength;
    private final boolean fixed;
    private volatile @Nullable Kept kept;
    private volatile @Nullable ResponseHead sized; // the last head with another length

    /// Creates a head and freezes `fields`: a later change of them throws an
    /// [IllegalStateException]. Received fields are copied.
    ///
    /// @param contentLength length of the content in bytes, or [#UNKNOWN_LENGTH]. For HEAD and 304:
    ///     the length that the answer to GET would have
    /// @throws IllegalArgumentException if `fields` has Content-Length or Transfer-Encoding
    public ResponseHead(Status status, Fields fields, long contentLength) {
        this(status, fields, contentLength, false);
    }

    private ResponseHead(Status status, Fields fields, long contentLength, boolean fixed) {
        refuse(fields, FieldName.CONTENT_LENGTH);
        refuse(fields, FieldName.TRANSFER_ENCODING);
        if (contentLength < UNKNOWN_LENGTH) {
            throw new IllegalArgumentException(
                    "A content length must be UNKNOWN_LENGTH or at least 0, not " + contentLength);
        }
        this.status = status;
        this.fields = fields.frozen();
        this.contentLength = contentLength;
        this.fixed = fixed;
    }

    /// Returns this head for content that its handler has in other codings, too: no other is applied.
    public ResponseHead asFixed() {
        return new ResponseHead(status, fields, contentLength, true);
    }

    /// Returns whether no content coding is applied.
    public boolean isFixed() {
        return fixed;
    }

    /// Returns the status.
    public Status status() {
        return status;
    }

    /// Returns the fields, which cannot be changed.
    public Fields fields() {
        return fields;
    }

    /// Returns the length of the content in bytes, or [#UNKNOWN_LENGTH].
    public long contentLength() {
        return contentLength;
    }

    /// Returns this head with another content length. Keeps it for the next call, because many
    /// responses with the same fields also have the same length.
    public ResponseHead withContentLength(long bytes) {
        @Nullable ResponseHead last = sized;
        if (last != null && last.contentLength == bytes) {
            return last;
        }
        ResponseHead made = new ResponseHead(status, fields, bytes, fixed);
        sized = made;
        return made;
    }

    /// Returns the bytes that the codec of `format` stored with [#keepWireForm], or null.
    public byte @Nullable [] wireForm(WireFormat format) {
        @Nullable Kept first = kept;
        return first == null ? null : first.find(format);
    }

    /// Stores the bytes that the codec of `format` made of status and fields. Any thread: the same
    /// head always gives the same bytes, so it does not matter which thread's array remains.
    public void keepWireForm(WireFormat format, byte[] bytes) {
        kept = new Kept(format, bytes, Kept.without(format, kept));
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
