package dev.serval.http2;

import org.jspecify.annotations.Nullable;

/// Takes the frames of a client, whose form was checked. One method for each type of frame. Each
/// returns the error that ends the connection, or null. Bytes are valid only during the call.
public interface FrameSink {
    /// Takes the start of a DATA frame. [#content] follows for each piece of it, then [#dataEnd].
    ///
    /// @param length bytes that count in the windows: content and padding
    /// @param padding bytes of the length that are no content
    @Nullable FrameError data(int stream, int length, int padding);

    /// Takes the next bytes of a DATA frame.
    @Nullable FrameError content(int stream, byte[] from, int at, int end);

    /// Takes the end of a DATA frame.
    ///
    /// @param last whether the frame ends the client's half of the stream
    @Nullable FrameError dataEnd(int stream, boolean last);

    /// Takes the start of a HEADERS frame; [#block] follows.
    ///
    /// @param last whether it ends the client's half of the stream
    @Nullable FrameError headers(int stream, boolean last);

    /// Takes the next part of the header block that [#headers] began, from HEADERS or CONTINUATION.
    ///
    /// @param whole whether the header block ends with it
    @Nullable FrameError block(byte[] from, int at, int end, boolean whole);

    /// Takes the arrival of a CONTINUATION frame; [#block] follows.
    @Nullable FrameError continuation();

    /// Takes a PRIORITY frame, which has no effect (§5.3.2).
    @Nullable FrameError priority(int stream);

    /// Takes a PRIORITY_UPDATE frame (RFC 9218 §7.1).
    ///
    /// @param stream whose priority it changes, perhaps one that no client can open
    @Nullable FrameError priorityUpdate(int stream, byte[] from, int at, int end);

    /// Takes a RST_STREAM frame.
    @Nullable FrameError rstStream(int stream, int code);

    /// Takes one setting of a SETTINGS frame.
    @Nullable FrameError setting(int id, long value);

    /// Takes the end of a SETTINGS frame.
    @Nullable FrameError settingsEnd();

    /// Takes the acknowledgement of our settings.
    @Nullable FrameError settingsAck();

    /// Takes a PING frame, or the answer to ours.
    @Nullable FrameError ping(boolean ack, long opaque);

    /// Takes a GOAWAY frame.
    @Nullable FrameError goAway(int code);

    /// Takes a WINDOW_UPDATE frame. Stream 0 is the connection.
    ///
    /// @param increment may be 0, which is an error of the stream or the connection
    @Nullable FrameError windowUpdate(int stream, int increment);

    /// Takes a frame of an unknown type, which has no effect (§4.1).
    @Nullable FrameError unknown();
}
