package dev.serval.http2;

/// The numbers of frames: types and flags (RFC 9113 §6, RFC 9218 §7).
final class FrameType {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PUSH_PROMISE = 5;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    /// RFC 9218 §7.1
    static final int PRIORITY_UPDATE = 16;

    /// Flag of DATA and HEADERS.
    static final int END_STREAM = 0x1;

    /// Flag of SETTINGS and PING.
    static final int ACK = 0x1;

    /// Flag of HEADERS and CONTINUATION.
    static final int END_HEADERS = 0x4;

    /// Flag of DATA and HEADERS.
    static final int PADDED = 0x8;

    /// Flag of HEADERS: the deprecated priority fields are there.
    static final int PRIORITIZED = 0x20;

    private FrameType() {}
}
