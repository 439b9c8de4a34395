package dev.serval.http1;

import dev.serval.http.ByteRules;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Writes the heads of requests to another server (RFC 9112 §3). Order of calls: [#line], [#fields]
/// as often as needed, [#end]. Content goes as [ResponseEncoder] writes it: chunks are the same in
/// both directions. Stateless; the caller has made room for [#headBound].
public final class RequestEncoder {
    private static final byte[] VERSION = MessageText.bytes(" HTTP/1.1\r\n");
    private static final int HEAD_MORE =
            1
                    + VERSION.length
                    + Math.max(
                            MessageText.CHUNKED.length,
                            MessageText.LENGTH.length + MessageText.LONGEST_NUMBER + 2)
                    + MessageText.CRLF.length;

    /// Bytes that a head writes at most.
    ///
    /// @param method the method, as [#line] takes it
    /// @param targetLength bytes of the target
    /// @param fields all fields
    public int headBound(String method, int targetLength, Fields fields) {
        return HEAD_MORE + method.length() + targetLength + MessageText.length(fields);
    }

    /// Writes the request line with the target `bytes[from, to)`.
    ///
    /// @param method any token, as [dev.serval.http.RequestHead#methodText] tells it
    /// @throws IllegalArgumentException for a method that is no token, or a target that would not
    ///     stay within its place
    public void line(ByteBuffer out, String method, byte[] bytes, int from, int to) {
        checkMethod(method);
        for (int i = from; i < to; i++) {
            if (bytes[i] <= ' ' || bytes[i] == 0x7f) {
                throw new IllegalArgumentException(
                        "A target holds visible ASCII alone (RFC 9112 §3.2)");
            }
        }
        for (int i = 0; i < method.length(); i++) {
            out.put((byte) method.charAt(i));
        }
        out.put((byte) ' ').put(bytes, from, to - from).put(VERSION);
    }

    /// Writes fields, but for Content-Length and Transfer-Encoding: [#end] writes what is true of
    /// this message.
    public void fields(ByteBuffer out, Fields fields) {
        for (int i = 0; i < fields.size(); i++) {
            @Nullable FieldName name = fields.known(i);
            if (name != FieldName.CONTENT_LENGTH && name != FieldName.TRANSFER_ENCODING) {
                MessageText.field(out, fields, i);
            }
        }
    }

    /// Ends the head.
    ///
    /// @param contentLength for [Framing#LENGTH]
    /// @throws IllegalArgumentException for [Framing#CLOSE], which would keep the server from
    ///     answering (RFC 9112 §6.3)
    public void end(ByteBuffer out, Framing framing, long contentLength) {
        switch (framing) {
            case NONE -> {}
            case CHUNKED -> out.put(MessageText.CHUNKED);
            case LENGTH -> {
                out.put(MessageText.LENGTH);
                MessageText.number(out, contentLength);
                out.put(MessageText.CRLF);
            }
            case CLOSE -> throw new IllegalArgumentException("A request does not end by closing");
        }
        out.put(MessageText.CRLF);
    }

    private static void checkMethod(String method) {
        boolean token = !method.isEmpty();
        for (int i = 0; i < method.length(); i++) {
            token &= ByteRules.token(method.charAt(i));
        }
        if (!token) {
            throw new IllegalArgumentException("A method is a token (RFC 9110 §9.1)");
        }
    }
}
