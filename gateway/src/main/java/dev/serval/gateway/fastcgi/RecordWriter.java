package dev.serval.gateway.fastcgi;

import java.nio.ByteBuffer;

/// Writes the records of a request (FastCGI 1.0 §3.3, §5). All have the request id 1, because a
/// connection carries one request at a time. Stateless. The caller provides the room.
final class RecordWriter {
    /// The bytes of the head of a record.
    static final int HEAD_BYTES = 8;

    /// The most bytes of content that one record carries here: a multiple of 8, as §3.3 recommends.
    static final int CONTENT_MAX_BYTES = 65_528;

    /// The bytes of the record that begins a request.
    static final int BEGIN_BYTES = 16;

    private static final int VERSION = 1;
    private static final int REQUEST_ID = 1;
    private static final int RESPONDER = 1;
    private static final int KEEP_CONNECTION = 1;

    private RecordWriter() {}

    /// Writes the head of a record without padding.
    ///
    /// @param length of its content in bytes, at most [#CONTENT_MAX_BYTES]
    static void head(ByteBuffer out, int type, int length) {
        if (length < 0 || length > CONTENT_MAX_BYTES) {
            throw new IllegalArgumentException(
                    "A record has at most " + CONTENT_MAX_BYTES + " bytes, not " + length);
        }
        out.put((byte) VERSION).put((byte) type);
        out.put((byte) 0).put((byte) REQUEST_ID);
        out.put((byte) (length >>> 8)).put((byte) length);
        out.put((byte) 0).put((byte) 0);
    }

    /// Writes the record that begins a request in the role of a responder.
    ///
    /// @param keep whether the connection serves another request afterwards
    static void begin(ByteBuffer out, boolean keep) {
        head(out, RecordType.BEGIN_REQUEST, BEGIN_BYTES - HEAD_BYTES);
        out.put((byte) 0).put((byte) RESPONDER).put((byte) (keep ? KEEP_CONNECTION : 0));
        for (int i = 3; i < BEGIN_BYTES - HEAD_BYTES; i++) {
            out.put((byte) 0);
        }
    }

    /// Returns the bytes that [#params] writes for variables of that length.
    static int paramsBytes(int length) {
        int records = (length + CONTENT_MAX_BYTES - 1) / CONTENT_MAX_BYTES;
        return length + (records + 1) * HEAD_BYTES;
    }

    /// Writes the variables `bytes[0, length)` as a stream of records with its end (§3.3).
    static void params(ByteBuffer out, byte[] bytes, int length) {
        for (int at = 0; at < length; at += CONTENT_MAX_BYTES) {
            int part = Math.min(CONTENT_MAX_BYTES, length - at);
            head(out, RecordType.PARAMS, part);
            out.put(bytes, at, part);
        }
        head(out, RecordType.PARAMS, 0);
    }
}
