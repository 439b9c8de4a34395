package dev.serval.http1;

import dev.serval.codec.ByteRules;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Writes the heads of requests to another server (RFC 9112 §3). Order of calls: [#line], [#fields]
/// as often as needed, [#end]. [ResponseEncoder] writes the content, because chunks are the same in
/// both directions. Stateless. The caller provides [#headBound] bytes of room.
public final class RequestEncoder {
    private static final byte[] VERSION = MessageText.bytes(" HTTP/1.1\r\n");
    private static final int HEAD_MORE =
            1
                    + VERSION.length
                    + Math.max(
                            MessageText.CHUNKED.length,
                            MessageText.LENGTH.length + MessageText.LONGEST_NUMBER + 2)
                    + MessageText.CRLF.length;

    /// Returns the largest number of bytes that a head takes.
    ///
    /// @param method the method, as [#line] takes it
    /// @param targetLength length of the target in bytes
    /// @param fields all fields of the head
    public int headBound(String method, int targetLength, Fields fields) {
        return HEAD_MORE + method.length() + targetLength + MessageText.length(fields);
    }

    /// Writes the request line with the target `bytes[from, to)`.
    ///
    /// @param method any token, as [dev.serval.http.RequestHead#methodText] returns it
    /// @throws IllegalArgumentException if the method is not a token, or a byte of the target is
    ///     not visible ASCII
    public void line(ByteBuffer out, String method, byte[] bytes, int from, int to) {
        checkMethod(method);
        for (int i = from; i < to; i++) {
            if (bytes[i] <= ' ' || bytes[i] == 0x7f) {
                throw new IllegalArgumentException(
                        "A target must have only visible ASCII (RFC 9112 §3.2)");
            }
        }
        for (int i = 0; i < method.length(); i++) {
            out.put((byte) method.charAt(i));
        }
        out.put((byte) ' ').put(bytes, from, to - from).put(VERSION);
    }

    /// Writes fields except Content-Length and Transfer-Encoding, which [#end] writes for this
    /// message.
    public void fields(ByteBuffer out, Fields fields) {
        for (int i = 0; i < fields.size(); i++) {
            @Nullable FieldName name = fields.known(i);
            if (name != FieldName.CONTENT_LENGTH && name != FieldName.TRANSFER_ENCODING) {
                MessageText.field(out, fields, i);
            }
        }
    }

    /// Writes field `i` as it is. For callers that choose which fields of a received message they
    /// forward; they must not choose Content-Length or Transfer-Encoding.
    public void field(ByteBuffer out, Fields fields, int i) {
        MessageText.field(out, fields, i);
    }

    /// Ends the head.
    ///
    /// @param contentLength length of the content in bytes, for [Framing#LENGTH]
    /// @throws IllegalArgumentException for [Framing#CLOSE]: a request cannot end by closing
    ///     (RFC 9112 §6.3)
    public void end(ByteBuffer out, Framing framing, long contentLength) {
        switch (framing) {
            case NONE -> {}
            case CHUNKED -> out.put(MessageText.CHUNKED);
            case LENGTH -> {
                out.put(MessageText.LENGTH);
                MessageText.number(out, contentLength);
                out.put(MessageText.CRLF);
            }
            case CLOSE -> throw new IllegalArgumentException("A request cannot end by closing");
        }
        out.put(MessageText.CRLF);
    }

    private static void checkMethod(String method) {
        boolean token = !method.isEmpty();
        for (int i = 0; i < method.length(); i++) {
            token &= ByteRules.token(method.charAt(i));
        }
        if (!token) {
            throw new IllegalArgumentException("A method must be a token (RFC 9110 §9.1)");
        }
    }
}
