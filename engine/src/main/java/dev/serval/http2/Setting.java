package dev.serval.http2;

/// The numbers of settings (RFC 9113 §6.5.2, RFC 8441 §3, RFC 9218 §2.1).
public final class Setting {
    /// The largest dynamic table of HPACK that its sender decodes with.
    public static final int HEADER_TABLE_SIZE = 1;

    /// Whether the server may push, which this one never does.
    public static final int ENABLE_PUSH = 2;

    /// The number of streams that the other side may open.
    public static final int MAX_CONCURRENT_STREAMS = 3;

    /// The window of a new stream.
    public static final int INITIAL_WINDOW_SIZE = 4;

    /// The largest payload of a frame.
    public static final int MAX_FRAME_SIZE = 5;

    /// The largest list of fields, which is a hint.
    public static final int MAX_HEADER_LIST_SIZE = 6;

    /// Whether extended CONNECT is served.
    public static final int ENABLE_CONNECT_PROTOCOL = 8;

    /// Whether the priorities of RFC 7540 are ignored.
    public static final int NO_RFC7540_PRIORITIES = 9;

    private Setting() {}
}
