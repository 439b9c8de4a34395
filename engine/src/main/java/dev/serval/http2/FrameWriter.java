package dev.serval.http2;

import java.nio.ByteBuffer;

/// Writes the frames of a server (RFC 9113 §6), one method for each type. The caller provides the room
/// that each method names. Stateless.
public final class FrameWriter {
    /// Bytes that [#rstStream] and [#windowUpdate] write.
    public static final int SHORT = FrameReader.HEADER + Integer.BYTES;

    /// Bytes that [#ping] and [#goAway] write.
    public static final int LONG = FrameReader.HEADER + Long.BYTES;

    /// Bytes that [#setting] writes.
    public static final int SETTING = Short.BYTES + Integer.BYTES;

    private FrameWriter() {}

    /// Writes the header of a DATA frame; `length` bytes must follow.
    ///
    /// @param last whether it ends our half of the stream
    public static void data(ByteBuffer out, int stream, int length, boolean last) {
        header(out, length, FrameType.DATA, last ? FrameType.END_STREAM : 0, stream);
    }

    /// Writes a header block as one HEADERS frame and as many CONTINUATION frames as it needs.
    /// [#blockBytes] tells the room.
    ///
    /// @param last whether it ends our half of the stream
    public static void headers(ByteBuffer out, int stream, byte[] block, int length, boolean last) {
        int n = Math.min(length, FrameReader.PAYLOAD_MAX);
        int flags = (last ? FrameType.END_STREAM : 0) | (n == length ? FrameType.END_HEADERS : 0);
        header(out, n, FrameType.HEADERS, flags, stream);
        out.put(block, 0, n);
        int at = n;
        while (at < length) {
            n = Math.min(length - at, FrameReader.PAYLOAD_MAX);
            flags = at + n == length ? FrameType.END_HEADERS : 0;
            header(out, n, FrameType.CONTINUATION, flags, stream);
            out.put(block, at, n);
            at += n;
        }
    }

    /// Returns the number of bytes that [#headers] writes for a block of that length.
    public static int blockBytes(int length) {
        int frames = Math.max(1, (length + FrameReader.PAYLOAD_MAX - 1) / FrameReader.PAYLOAD_MAX);
        return length + frames * FrameReader.HEADER;
    }

    /// Writes RST_STREAM.
    public static void rstStream(ByteBuffer out, int stream, ErrorCode code) {
        header(out, Integer.BYTES, FrameType.RST_STREAM, 0, stream);
        out.putInt(code.code());
    }

    /// Writes the header of SETTINGS; [#setting] must follow that many times.
    public static void settings(ByteBuffer out, int count) {
        header(out, count * SETTING, FrameType.SETTINGS, 0, 0);
    }

    /// Writes one setting.
    public static void setting(ByteBuffer out, int id, int value) {
        out.putShort((short) id).putInt(value);
    }

    /// Writes the acknowledgement of SETTINGS: [FrameReader#HEADER] bytes.
    public static void settingsAck(ByteBuffer out) {
        header(out, 0, FrameType.SETTINGS, FrameType.ACK, 0);
    }

    /// Writes PING.
    public static void ping(ByteBuffer out, boolean ack, long opaque) {
        header(out, Long.BYTES, FrameType.PING, ack ? FrameType.ACK : 0, 0);
        out.putLong(opaque);
    }

    /// Writes GOAWAY.
    ///
    /// @param lastStream the last stream that is served
    public static void goAway(ByteBuffer out, int lastStream, ErrorCode code) {
        header(out, Long.BYTES, FrameType.GOAWAY, 0, 0);
        out.putInt(lastStream).putInt(code.code());
    }

    /// Writes WINDOW_UPDATE. Stream 0 is the connection.
    public static void windowUpdate(ByteBuffer out, int stream, int increment) {
        header(out, Integer.BYTES, FrameType.WINDOW_UPDATE, 0, stream);
        out.putInt(increment);
    }

    private static void header(ByteBuffer out, int length, int type, int flags, int stream) {
        out.putInt(length << 8 | type).put((byte) flags).putInt(stream);
    }
}
