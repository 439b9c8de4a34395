package dev.serval.http1;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http.TrailerRules;
import dev.serval.http.WireFormat;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Writes responses (RFC 9112 §4, §6, §7). The caller provides the room that each method's bound
/// requires. Stateless, so one encoder serves every connection. Buffers may be heap or direct.
///
/// The constant part of a head (status line, fields, Content-Length) is cached in the
/// [ResponseHead], so sending it again takes one copy. Content-Length is its last line, which is
/// left off for other framings.
public final class ResponseEncoder {
    /// The largest number of bytes that [#chunkHead] writes.
    public static final int CHUNK_HEAD_MAX = 18;

    /// The number of bytes that [#chunkEnd] writes.
    public static final int CHUNK_END = 2;

    private static final WireFormat FORMAT = new WireFormat("HTTP/1.1");
    private static final byte[] VERSION = MessageText.bytes("HTTP/1.1 ");
    private static final byte[] CLOSE = MessageText.bytes("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = MessageText.bytes("Connection: keep-alive\r\n");
    private static final int STATUS_LINE_MORE = VERSION.length + 3 + 1 + 2;
    private static final int HEAD_MORE =
            MessageText.CHUNKED.length
                    + DateLine.LENGTH
                    + KEEP_ALIVE.length
                    + MessageText.CRLF.length;
    private static final byte[] HEX = MessageText.bytes("0123456789abcdef");

    /// Returns the largest number of bytes that [#head] writes.
    public int headBound(ResponseHead head) {
        byte @Nullable [] kept = head.wireForm(FORMAT);
        return HEAD_MORE + (kept != null ? kept.length : constantLength(head));
    }

    /// Writes the head of a final response or of 101.
    ///
    /// @param framing LENGTH only for heads with a known length
    /// @param dateLine left out if the fields have a Date
    public void head(
            ByteBuffer out,
            ResponseHead head,
            Framing framing,
            Persistence persistence,
            byte[] dateLine) {
        byte @Nullable [] kept = head.wireForm(FORMAT);
        byte[] constant = kept != null ? kept : constant(head);
        int lengthLine = lengthLine(head.contentLength());
        if (framing == Framing.LENGTH) {
            if (lengthLine == 0) {
                throw new IllegalArgumentException("A head without a length needs another framing");
            }
            out.put(constant);
        } else {
            out.put(constant, 0, constant.length - lengthLine);
        }
        if (framing == Framing.CHUNKED) {
            out.put(MessageText.CHUNKED);
        }
        if (!head.fields().contains(FieldName.DATE)) {
            out.put(dateLine, 0, DateLine.LENGTH);
        }
        switch (persistence) {
            case KEEP -> {}
            case KEEP_1_0 -> out.put(KEEP_ALIVE);
            case CLOSE -> out.put(CLOSE);
        }
        out.put(MessageText.CRLF);
    }

    /// Returns whether the fields end the connection, so that [#head] must not say it again.
    public static boolean saysClose(ResponseHead head) {
        int first = head.fields().indexOf(FieldName.CONNECTION, 0);
        return first >= 0
                && FieldRules.hasMember(head.fields(), FieldName.CONNECTION, first, "close");
    }

    /// Returns the number of bytes that [#interim] writes.
    public int interimBound(Status status, Fields fields) {
        return STATUS_LINE_MORE
                + status.reason().length()
                + MessageText.length(fields)
                + MessageText.CRLF.length;
    }

    /// Writes an interim response (RFC 9110 §15.2).
    public void interim(ByteBuffer out, Status status, Fields fields) {
        statusLine(out, status);
        MessageText.fields(out, fields);
        out.put(MessageText.CRLF);
    }

    /// Writes the line before a chunk.
    ///
    /// @param size length of the chunk in bytes, at least 1: an empty chunk would end the content
    /// @return bytes written
    public static int chunkHead(ByteBuffer out, long size) {
        if (size <= 0) {
            throw new IllegalArgumentException("A chunk must have at least 1 byte, not " + size);
        }
        int digits = (Long.SIZE - Long.numberOfLeadingZeros(size) + 3) / 4;
        for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) {
            out.put(HEX[(int) (size >>> shift) & 0xf]);
        }
        out.put(MessageText.CRLF);
        return digits + MessageText.CRLF.length;
    }

    /// Writes the line end after a chunk.
    public static void chunkEnd(ByteBuffer out) {
        out.put(MessageText.CRLF);
    }

    /// Returns the largest number of bytes that [#lastChunk] writes.
    public static int lastChunkBound(Fields trailers) {
        return 5 + MessageText.length(trailers);
    }

    /// Ends chunked content. Leaves out fields that are not allowed as trailers (RFC 9110 §6.5.1).
    public static void lastChunk(ByteBuffer out, Fields trailers) {
        out.put((byte) '0').put(MessageText.CRLF);
        for (int i = 0; i < trailers.size(); i++) {
            if (!TrailerRules.forbidden(trailers.known(i))) {
                MessageText.field(out, trailers, i);
            }
        }
        out.put(MessageText.CRLF);
    }

    private static byte[] constant(ResponseHead head) {
        byte[] bytes = new byte[constantLength(head)];
        ByteBuffer out = ByteBuffer.wrap(bytes);
        statusLine(out, head.status());
        MessageText.fields(out, head.fields());
        if (head.contentLength() >= 0) {
            out.put(MessageText.LENGTH);
            MessageText.number(out, head.contentLength());
            out.put(MessageText.CRLF);
        }
        head.keepWireForm(FORMAT, bytes);
        return bytes;
    }

    private static int constantLength(ResponseHead head) {
        return STATUS_LINE_MORE
                + head.status().reason().length()
                + MessageText.length(head.fields())
                + lengthLine(head.contentLength());
    }

    /// Returns the length of the Content-Length line in bytes; 0 if the length is unknown.
    private static int lengthLine(long contentLength) {
        return contentLength < 0
                ? 0
                : MessageText.LENGTH.length
                        + MessageText.digits(contentLength)
                        + MessageText.CRLF.length;
    }

    private static void statusLine(ByteBuffer out, Status status) {
        out.put(VERSION);
        MessageText.number(out, status.code());
        out.put((byte) ' ');
        String reason = status.reason();
        for (int i = 0; i < reason.length(); i++) {
            out.put((byte) reason.charAt(i));
        }
        out.put(MessageText.CRLF);
    }
}
