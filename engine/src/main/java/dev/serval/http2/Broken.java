package dev.serval.http2;

/// The rules of HTTP/2 that a client can break, one constant for each.
public final class Broken {
    // Frames

    static final FrameError FRAME_TOO_LARGE =
            size("a frame is larger than it may be", "RFC 9113 §4.2");
    static final FrameError FRAME_SIZE =
            size("a frame does not have the size of its type", "RFC 9113 §6");
    static final FrameError PADDING =
            protocol("the padding of a frame is longer than the frame", "RFC 9113 §6.1");
    static final FrameError STREAM_ZERO =
            protocol("a frame of a stream names no stream", "RFC 9113 §6");
    static final FrameError STREAM_NAMED =
            protocol("a frame of the connection names a stream", "RFC 9113 §6");
    static final FrameError BLOCK_INTERRUPTED =
            protocol("another frame stands within a header block", "RFC 9113 §6.2");
    static final FrameError CONTINUATION =
            protocol("a CONTINUATION frame continues no header block", "RFC 9113 §6.10");
    static final FrameError DEPENDS_ON_ITSELF =
            protocol("a stream depends on itself", "RFC 7540 §5.3.1");
    static final FrameError PUSH = protocol("a client sent PUSH_PROMISE", "RFC 9113 §8.4");
    static final FrameError NO_SETTINGS =
            protocol("the first frame is not SETTINGS", "RFC 9113 §3.4");
    static final FrameError SETTING =
            protocol("a setting has a value that it cannot have", "RFC 9113 §6.5.2");

    static final FrameError SETTING_CHANGED =
            protocol("a setting changes that only the first SETTINGS may set", "RFC 9218 §2.1");

    /// A setting makes the window of a stream exceed 2^31-1 bytes.
    public static final FrameError SETTING_WINDOW =
            flow("a setting makes the windows too large", "RFC 9113 §6.5.2");

    /// The connection does not begin with the preface.
    public static final FrameError PREFACE =
            protocol("the connection does not begin with the preface", "RFC 9113 §3.4");

    /// A WINDOW_UPDATE frame adds nothing.
    public static final FrameError NO_INCREMENT =
            protocol("a window is enlarged by nothing", "RFC 9113 §6.9");

    // Streams and windows

    /// A window exceeds 2^31-1 bytes.
    public static final FrameError WINDOW_TOO_LARGE =
            flow("a window is enlarged beyond 2^31-1 bytes", "RFC 9113 §6.9.1");

    /// More content came than the window allows.
    public static final FrameError WINDOW_EXCEEDED =
            flow("more content than the window allows", "RFC 9113 §6.9.1");

    /// A request has the number of a stream that only a server may open.
    public static final FrameError STREAM_EVEN =
            protocol("a request has an even stream number", "RFC 9113 §5.1.1");

    /// A priority is given to a stream that no client can open.
    public static final FrameError PRIORITY_OF_NONE =
            protocol("a priority for a stream that a client cannot open", "RFC 9218 §7.1");

    /// A stream was not opened yet.
    public static final FrameError STREAM_IDLE =
            protocol("a frame for a stream that was not opened", "RFC 9113 §5.1");

    /// A frame came after the end of its stream.
    public static final FrameError STREAM_ENDED =
            new FrameError(
                    ErrorCode.STREAM_CLOSED,
                    "a frame came after the end of its stream",
                    "RFC 9113 §5.1");

    // Field lines

    static final FrameError FIELD_NAME =
            protocol("a field name is not a token in lower case", "RFC 9113 §8.2.1");

    static final FrameError FIELD_VALUE =
            protocol("a field value has a character that it cannot have", "RFC 9113 §8.2.1");
    static final FrameError FIELD_OF_CONNECTION =
            protocol("a field that only concerns HTTP/1.1", "RFC 9113 §8.2.2");
    static final FrameError PSEUDO_UNKNOWN =
            protocol("an unknown pseudo-header field", "RFC 9113 §8.3");
    static final FrameError PSEUDO_LATE =
            protocol("a pseudo-header field after other fields", "RFC 9113 §8.3");
    static final FrameError PSEUDO_REPEATED =
            protocol("a pseudo-header field stands twice", "RFC 9113 §8.3");
    static final FrameError PSEUDO_MISSING =
            protocol("a pseudo-header field is missing, empty or not allowed", "RFC 9113 §8.3.1");
    static final FrameError HOST_DIFFERS =
            protocol("Host and :authority differ", "RFC 9113 §8.3.1");
    static final FrameError TRAILER =
            protocol("a trailer field that is allowed only in the head", "RFC 9110 §6.5.1");

    /// The trailers are larger than the limits allow.
    public static final FrameError TRAILERS_TOO_LARGE =
            calm("the trailers are too large or too many", "RFC 9113 §10.5.1");

    /// Content and Content-Length do not agree.
    public static final FrameError LENGTH =
            protocol("the content does not have its announced length", "RFC 9113 §8.1.1");

    /// A tunnel got fields.
    public static final FrameError TUNNEL_FIELDS =
            protocol("a tunnel takes only content, no fields", "RFC 9113 §8.5");

    /// Trailers do not end their stream.
    public static final FrameError TRAILERS_OPEN =
            protocol("trailers do not end the stream", "RFC 9113 §8.1");

    // Floods

    /// A header block has too many frames, or far too large fields.
    public static final FrameError BLOCK_FLOOD =
            calm("the header block has too many frames or is far too large", "RFC 9113 §10.5.1");

    /// Too many frames that have no effect.
    public static final FrameError FRAME_FLOOD =
            calm("too many frames without effect", "RFC 9113 §10.5");

    /// Too many streams that were reset.
    public static final FrameError RESET_FLOOD =
            calm("too many streams that were reset", "RFC 9113 §10.5");

    private Broken() {}

    private static FrameError protocol(String what, String section) {
        return new FrameError(ErrorCode.PROTOCOL_ERROR, what, section);
    }

    private static FrameError size(String what, String section) {
        return new FrameError(ErrorCode.FRAME_SIZE_ERROR, what, section);
    }

    private static FrameError flow(String what, String section) {
        return new FrameError(ErrorCode.FLOW_CONTROL_ERROR, what, section);
    }

    private static FrameError calm(String what, String section) {
        return new FrameError(ErrorCode.ENHANCE_YOUR_CALM, what, section);
    }
}
