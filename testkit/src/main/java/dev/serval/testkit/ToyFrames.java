package dev.serval.testkit;

import java.nio.charset.StandardCharsets;

/// A protocol made up for tests: many streams on one connection, each one request and its response,
/// with windows for each stream and for the connection. What runs over it and over HTTP/1.1 alike
/// leans on neither.
///
/// A frame is: stream (4 bytes), [Frame] (1), length of the payload (3), payload. Heads are the text
/// of an HTTP/1.1 head, where `chunked` says that only the end will tell the length; a response's
/// first line is its status alone. Both sides begin with
/// [#STREAM_WINDOW] a stream and [#CONNECTION_WINDOW] in all, both counting [Frame#DATA] alone. Streams
/// are numbered upwards by the client from 1; 0 is the connection. Stateless.
public final class ToyFrames {
    /// Bytes before the payload.
    public static final int HEADER = 8;

    /// Most bytes of a payload.
    public static final int PAYLOAD_MAX = 16 << 10;

    /// Bytes of content a stream may send before it is granted more.
    public static final int STREAM_WINDOW = 64 << 10;

    /// Bytes of content all streams together may send before more is granted.
    public static final int CONNECTION_WINDOW = 256 << 10;

    /// Streams open at a time.
    public static final int STREAMS_MAX = 64;

    private static final Frame[] TYPES = Frame.values();

    /// What a frame says.
    public enum Frame {
        /// A head, behind which content follows.
        HEAD,
        /// A head without content behind it. Of a response: the exchange is over.
        LAST_HEAD,
        /// A head that asks for a tunnel, or grants it: [#DATA] behind it is the tunnel's.
        UPGRADE,
        /// An interim response, 100 among them.
        INFORM,
        /// Content, or bytes of a tunnel.
        DATA,
        /// The sender's direction is over; the payload is the trailers.
        END,
        /// The stream is over, and not whole.
        RESET,
        /// The sender takes no more content on this stream; the response it sent is whole.
        ENOUGH,
        /// So many bytes more may be sent (4 bytes).
        WINDOW,
        /// The server takes no more streams.
        GOODBYE
    }

    private ToyFrames() {}

    /// A frame.
    public static byte[] frame(int stream, Frame type, byte[] payload) {
        byte[] frame = new byte[HEADER + payload.length];
        header(frame, stream, type, payload.length);
        System.arraycopy(payload, 0, frame, HEADER, payload.length);
        return frame;
    }

    /// A frame with a text.
    public static byte[] frame(int stream, Frame type, String payload) {
        return frame(stream, type, payload.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// A frame that grants bytes.
    public static byte[] grant(int stream, int bytes) {
        byte[] payload = new byte[4];
        put(payload, 0, bytes);
        return frame(stream, Frame.WINDOW, payload);
    }

    /// Writes a frame's header to the start of `into`.
    @SuppressWarnings("EnumOrdinal") // the place in the list is the number on the wire
    public static void header(byte[] into, int stream, Frame type, int length) {
        put(into, 0, stream);
        put(into, 4, length);
        into[4] = (byte) type.ordinal();
    }

    /// Whether a whole frame begins at `from`.
    public static boolean isWhole(byte[] bytes, int from, int to) {
        return to - from >= HEADER && to - from - HEADER >= length(bytes, from);
    }

    /// The stream of the frame that begins at `at`.
    public static int stream(byte[] bytes, int at) {
        return number(bytes, at);
    }

    /// Its type; a type that does not exist is an [AssertionError].
    public static Frame type(byte[] bytes, int at) {
        int type = bytes[at + 4];
        if (type < 0 || type >= TYPES.length) {
            throw new AssertionError("There is no frame of type " + type);
        }
        return TYPES[type];
    }

    /// Bytes of its payload.
    public static int length(byte[] bytes, int at) {
        return number(bytes, at + 4) & 0xff_ffff;
    }

    /// The four bytes at `at`.
    public static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | (bytes[at + 3] & 0xff);
    }

    private static void put(byte[] into, int at, int number) {
        into[at] = (byte) (number >> 24);
        into[at + 1] = (byte) (number >> 16);
        into[at + 2] = (byte) (number >> 8);
        into[at + 3] = (byte) number;
    }
}
