package dev.serval.http2;

/// The error codes of RST_STREAM and GOAWAY (RFC 9113 §7).
public enum ErrorCode {
    /// No error: a graceful end.
    NO_ERROR,
    /// A rule of the protocol was broken for which there is no other code.
    PROTOCOL_ERROR,
    /// The server has failed.
    INTERNAL_ERROR,
    /// More was sent than a window allows.
    FLOW_CONTROL_ERROR,
    /// Settings were not acknowledged in time.
    SETTINGS_TIMEOUT,
    /// A frame came for a stream that is half closed.
    STREAM_CLOSED,
    /// A frame has an invalid size.
    FRAME_SIZE_ERROR,
    /// The stream was refused before any handler saw it, so the request may be sent again.
    REFUSED_STREAM,
    /// The stream is not needed any more.
    CANCEL,
    /// A header block cannot be decoded.
    COMPRESSION_ERROR,
    /// The connection of a CONNECT has failed.
    CONNECT_ERROR,
    /// The peer causes more load than it may.
    ENHANCE_YOUR_CALM,
    /// The transport is not secure enough.
    INADEQUATE_SECURITY,
    /// The request needs HTTP/1.1.
    HTTP_1_1_REQUIRED;

    /// Returns the code in frames.
    @SuppressWarnings("EnumOrdinal") // the constants stand in the order of §7, from 0
    public int code() {
        return ordinal();
    }
}
