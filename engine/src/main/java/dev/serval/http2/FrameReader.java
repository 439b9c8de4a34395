package dev.serval.http2;

import org.jspecify.annotations.Nullable;

/// Reads the frames that a client sends after the preface (RFC 9113 §4, §6), and checks what needs no
/// knowledge of streams. DATA frames are passed on in pieces as they arrive; all others when they are
/// whole.
///
/// ```
///            header of DATA          last byte
///   FRAME ──────────────────▶ DATA ───────────▶ FRAME
///     │      unknown type            last byte
///     └─────────────────────▶ SKIP ───────────▶ FRAME
/// ```
/// Owned by the connection.
public final class FrameReader {
    /// Length of a frame's header in bytes.
    public static final int HEADER = 9;

    /// The largest payload in bytes, which this server never raises.
    public static final int PAYLOAD_MAX = 16_384;

    /// Returned by [#read] if more bytes are needed.
    public static final int NEED_MORE = 0;

    /// Returned by [#read] if the connection must end; see [#error].
    public static final int ERROR = -1;

    private static final int PRIORITY_BYTES = 5;
    private static final int SETTING_BYTES = 6;

    /// The states of the diagram above.
    private enum State {
        FRAME,
        DATA,
        SKIP
    }

    private State state = State.FRAME;
    private boolean begun; // whether the first SETTINGS frame has come
    private int block; // the stream whose header block is open, or 0
    private int length; // of the present frame's payload
    private int flags;
    private int stream;
    private int left; // bytes of the frame that are content, or skipped
    private int padding; // bytes of a DATA frame behind its content
    private @Nullable FrameError error;

    /// Creates a reader that expects SETTINGS (§3.4).
    public FrameReader() {}

    /// Reads as much of one frame as `bytes[from, to)` has.
    ///
    /// @return the number of bytes used, [#NEED_MORE] or [#ERROR]
    public int read(byte[] bytes, int from, int to, FrameSink into) {
        int used =
                switch (state) {
                    case FRAME -> to - from < HEADER ? NEED_MORE : frame(bytes, from, to, into);
                    case DATA -> from == to ? NEED_MORE : content(bytes, from, to, into);
                    case SKIP -> from == to ? NEED_MORE : skip(to - from);
                };
        return error == null ? used : ERROR;
    }

    /// Returns the rule that was broken.
    public @Nullable FrameError error() {
        return error;
    }

    /// Returns whether a header block has begun and not ended.
    public boolean isInBlock() {
        return block != 0;
    }

    /// Returns whether the reader is within a frame whose beginning it has used.
    public boolean isInFrame() {
        return state != State.FRAME;
    }

    private int frame(byte[] bytes, int from, int to, FrameSink into) {
        length =
                (bytes[from] & 0xff) << 16
                        | (bytes[from + 1] & 0xff) << 8
                        | (bytes[from + 2] & 0xff);
        int type = bytes[from + 3] & 0xff;
        flags = bytes[from + 4] & 0xff;
        stream = number(bytes, from + 5) & 0x7fff_ffff;
        error = wrongHeader(type);
        if (error != null) {
            return ERROR;
        }
        int at = from + HEADER;
        if (type == FrameType.DATA) {
            return startData(bytes, at, to, into);
        }
        if (type > FrameType.CONTINUATION && type != FrameType.PRIORITY_UPDATE) {
            error = into.unknown();
            left = length;
            state = length == 0 ? State.FRAME : State.SKIP;
            return HEADER;
        }
        if (to - at < length) {
            return NEED_MORE;
        }
        begun = true;
        error = payload(type, bytes, at, into);
        return HEADER + length;
    }

    /// Returns what is wrong with a frame's header, or null.
    private @Nullable FrameError wrongHeader(int type) {
        if (length > PAYLOAD_MAX) {
            return Broken.FRAME_TOO_LARGE;
        }
        if (!begun && (type != FrameType.SETTINGS || has(FrameType.ACK))) {
            return Broken.NO_SETTINGS;
        }
        if (block != 0 && (type != FrameType.CONTINUATION || stream != block)) {
            return Broken.BLOCK_INTERRUPTED;
        }
        return switch (type) {
            case FrameType.DATA, FrameType.HEADERS -> stream == 0 ? Broken.STREAM_ZERO : null;
            case FrameType.PRIORITY -> ofStream(PRIORITY_BYTES);
            case FrameType.RST_STREAM -> ofStream(Integer.BYTES);
            case FrameType.SETTINGS ->
                    stream != 0
                            ? Broken.STREAM_NAMED
                            : length % SETTING_BYTES != 0 || (has(FrameType.ACK) && length > 0)
                                    ? Broken.FRAME_SIZE
                                    : null;
            case FrameType.PUSH_PROMISE -> Broken.PUSH;
            case FrameType.PING ->
                    stream != 0
                            ? Broken.STREAM_NAMED
                            : length != Long.BYTES ? Broken.FRAME_SIZE : null;
            case FrameType.GOAWAY ->
                    stream != 0
                            ? Broken.STREAM_NAMED
                            : length < Long.BYTES ? Broken.FRAME_SIZE : null;
            case FrameType.WINDOW_UPDATE -> length != Integer.BYTES ? Broken.FRAME_SIZE : null;
            case FrameType.CONTINUATION -> block == 0 ? Broken.CONTINUATION : null;
            case FrameType.PRIORITY_UPDATE ->
                    stream != 0
                            ? Broken.STREAM_NAMED
                            : length < Integer.BYTES ? Broken.FRAME_SIZE : null;
            default -> null;
        };
    }

    private @Nullable FrameError ofStream(int size) {
        return stream == 0 ? Broken.STREAM_ZERO : length != size ? Broken.FRAME_SIZE : null;
    }

    private @Nullable FrameError payload(int type, byte[] bytes, int at, FrameSink into) {
        return switch (type) {
            case FrameType.HEADERS -> headers(bytes, at, into);
            case FrameType.PRIORITY ->
                    dependsOnItself(bytes, at) ? Broken.DEPENDS_ON_ITSELF : into.priority(stream);
            case FrameType.RST_STREAM -> into.rstStream(stream, number(bytes, at));
            case FrameType.SETTINGS ->
                    has(FrameType.ACK) ? into.settingsAck() : settings(bytes, at, into);
            case FrameType.PING ->
                    into.ping(
                            has(FrameType.ACK),
                            ((long) number(bytes, at) << 32)
                                    | (number(bytes, at + 4) & 0xffff_ffffL));
            case FrameType.GOAWAY -> into.goAway(number(bytes, at + 4));
            case FrameType.WINDOW_UPDATE ->
                    into.windowUpdate(stream, number(bytes, at) & 0x7fff_ffff);
            case FrameType.PRIORITY_UPDATE ->
                    into.priorityUpdate(
                            number(bytes, at) & 0x7fff_ffff,
                            bytes,
                            at + Integer.BYTES,
                            at + length);
            default -> { // CONTINUATION
                @Nullable FrameError wrong = into.continuation();
                yield wrong != null ? wrong : block(bytes, at, at + length, into);
            }
        };
    }

    private @Nullable FrameError headers(byte[] bytes, int from, FrameSink into) {
        int at = from;
        int end = from + length;
        if (has(FrameType.PADDED)) {
            if (length == 0) {
                return Broken.FRAME_SIZE;
            }
            end -= bytes[at] & 0xff;
            at++;
        }
        if (has(FrameType.PRIORITIZED)) {
            if (length < at - from + PRIORITY_BYTES) {
                return Broken.FRAME_SIZE;
            }
            if (dependsOnItself(bytes, at)) {
                return Broken.DEPENDS_ON_ITSELF;
            }
            at += PRIORITY_BYTES;
        }
        if (at > end) {
            return Broken.PADDING;
        }
        block = stream;
        @Nullable FrameError wrong = into.headers(stream, has(FrameType.END_STREAM));
        return wrong != null ? wrong : block(bytes, at, end, into);
    }

    private @Nullable FrameError block(byte[] bytes, int at, int end, FrameSink into) {
        boolean whole = has(FrameType.END_HEADERS);
        block = whole ? 0 : stream;
        return into.block(bytes, at, end, whole);
    }

    private @Nullable FrameError settings(byte[] bytes, int from, FrameSink into) {
        for (int at = from; at < from + length; at += SETTING_BYTES) {
            int id = (bytes[at] & 0xff) << 8 | (bytes[at + 1] & 0xff);
            @Nullable FrameError wrong = into.setting(id, number(bytes, at + 2) & 0xffff_ffffL);
            if (wrong != null) {
                return wrong;
            }
        }
        return into.settingsEnd();
    }

    private int startData(byte[] bytes, int at, int to, FrameSink into) {
        int used = HEADER;
        padding = 0;
        if (has(FrameType.PADDED)) {
            if (length == 0) {
                error = Broken.FRAME_SIZE;
                return ERROR;
            }
            if (at == to) {
                return NEED_MORE;
            }
            padding = bytes[at] & 0xff;
            used++;
            if (padding + 1 > length) {
                error = Broken.PADDING;
                return ERROR;
            }
        }
        left = length - (used - HEADER) - padding;
        state = State.DATA;
        error = into.data(stream, length, length - left);
        if (error == null) {
            endDataIfRead(into);
        }
        return used;
    }

    private int content(byte[] bytes, int from, int to, FrameSink into) {
        int n = Math.min(left, to - from);
        if (n > 0) {
            left -= n;
            error = into.content(stream, bytes, from, from + n);
        } else { // padding, whose bytes have no meaning
            n = Math.min(padding, to - from);
            padding -= n;
        }
        if (error == null) {
            endDataIfRead(into);
        }
        return n;
    }

    private void endDataIfRead(FrameSink into) {
        if (left == 0 && padding == 0) {
            state = State.FRAME;
            error = into.dataEnd(stream, has(FrameType.END_STREAM));
        }
    }

    private int skip(int most) {
        int n = Math.min(left, most);
        left -= n;
        state = left == 0 ? State.FRAME : State.SKIP;
        return n;
    }

    private boolean dependsOnItself(byte[] bytes, int at) {
        return (number(bytes, at) & 0x7fff_ffff) == stream;
    }

    private boolean has(int flag) {
        return (flags & flag) != 0;
    }

    private static int number(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | (bytes[at + 3] & 0xff);
    }
}
