package dev.serval.testkit;

import java.nio.charset.StandardCharsets;

/// A protocol made up for tests: many streams on one connection, each with one request and its
/// response, and windows for each stream and for the connection. Code that works over it and over
/// HTTP/1.1 depends on neither.
///
/// A frame is: stream (4 bytes), [Frame] (1), length of the payload (3), payload. The head of a
/// request is a [ToyHead]; if it names no length, only the end marks it. The head of a response is
/// text: a line with the status, then a line for each field. The client numbers streams upwards from
/// 1; 0 is the connection.
///
/// Windows start with [#STREAM_WINDOW] for each stream and [#CONNECTION_WINDOW] for all streams.
/// Only [Frame#DATA] counts. Stateless.
public final class ToyFrames {
    /// Length of a frame's header in bytes.
    public static final int HEADER = 8;

    /// Largest length of a payload in bytes.
    public static final int PAYLOAD_MAX = 16 << 10;

    /// Number of content bytes that a stream may send before it is granted more.
    public static final int STREAM_WINDOW = 64 << 10;

    /// Number of content bytes that all streams together may send before more is granted.
    public static final int CONNECTION_WINDOW = 256 << 10;

    /// Largest number of streams open at a time.
    public static final int STREAMS_MAX = 64;

    private static final Frame[] TYPES = Frame.values();

    /// The type of a frame.
    public enum Frame {
        /// A head that content follows, or the bytes of a tunnel.
        HEAD,
        /// A head without content. In a response, it ends the exchange.
        LAST_HEAD,
        /// An interim response, for example 100.
        INFORM,
        /// Content, or bytes of a tunnel.
        DATA,
        /// Ends the sender's direction; the payload has the trailers.
        END,
        /// Ends the stream before it is complete.
        RESET,
        /// The sender reads no more content on this stream; the response it sent is complete.
        ENOUGH,
        /// Grants that many more bytes (4 bytes).
        WINDOW,
        /// The server accepts no more streams.
        GOODBYE
    }

    private static final byte[] PREFACE = "TOY * 1\r\n".getBytes(StandardCharsets.US_ASCII);

    private ToyFrames() {}

    /// Returns the bytes that a client sends first if its server also speaks another protocol.
    public static byte[] preface() {
        return PREFACE.clone();
    }

    /// Returns a frame.
    public static byte[] frame(int stream, Frame type, byte[] payload) {
        byte[] frame = new byte[HEADER + payload.length];
        header(frame, stream, type, payload.length);
        System.arraycopy(payload, 0, frame, HEADER, payload.length);
        return frame;
    }

    /// Returns a frame with a text.
    public static byte[] frame(int stream, Frame type, String payload) {
        return frame(stream, type, payload.getBytes(StandardCharsets.ISO_8859_1));
    }

    /// Returns a frame that grants bytes.
    public static byte[] grant(int stream, int bytes) {
        byte[] payload = new byte[4];
        put(payload, 0, bytes);
        return frame(stream, Frame.WINDOW, payload);
    }

    /// Writes a frame's header to the start of `into`.
    @SuppressWarnings("EnumOrdinal") // the ordinal is the number on the wire
    public static void header(byte[] into, int stream, Frame type, int length) {
        put(into, 0, stream);
        put(into, 4, length);
        into[4] = (byte) type.ordinal();
    }

    /// Returns whether a whole frame begins at `from`.
    public static boolean isWhole(byte[] bytes, int from, int to) {
        return to - from >= HEADER && to - from - HEADER >= length(bytes, from);
    }

    /// Returns the stream of the frame that begins at `at`.
    public static int stream(byte[] bytes, int at) {
        return number(bytes, at);
    }

    /// Returns the type of that frame. Throws an [AssertionError] if there is no such type.
    public static Frame type(byte[] bytes, int at) {
        int type = bytes[at + 4];
        if (type < 0 || type >= TYPES.length) {
            throw new AssertionError("There is no frame of type " + type);
        }
        return TYPES[type];
    }

    /// Returns the length of that frame's payload in bytes.
    public static int length(byte[] bytes, int at) {
        return number(bytes, at + 4) & 0xff_ffff;
    }

    /// Returns the four bytes at `at` as a number.
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
