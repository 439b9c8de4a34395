package dev.serval.policy;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.function.Consumer;

/// The limits of HTTP/2 connections. A part of [Limits]. Immutable; [#with] returns a changed copy.
///
/// @param enabled whether HTTP/2 is served; if not, its preface gets 505, and TLS offers only HTTP/1.1
/// @param streamsMax streams of a connection that are in progress at a time, also before the client
///     has acknowledged the number; past it REFUSED_STREAM
/// @param tableMaxBytes the largest dynamic table of HPACK in each direction
/// @param streamWindowBytes bytes of content that a client may send on a stream before a handler has
///     read some, at least 65,535
/// @param connectionWindowBytes likewise on all streams of a connection together, at least 65,535
/// @param streamWindowMaxBytes the bytes to which the window of a stream grows while its handler reads
///     as fast as the client sends, and memory is not short
/// @param connectionWindowMaxBytes likewise the window of a connection
/// @param frameMaxBytes the most content in a frame that the server sends, at most 16,384
/// @param pingNanos how long a client with streams in progress may send nothing, until a PING asks whether
///     it is there; 0 for never. If nothing comes for [Limits.Paces#stallNanos] after it, the
///     connection ends
/// @param continuationsMax CONTINUATION frames of a header block; past it the connection ends
/// @param framesMax frames without effect in [#floodNanos], beyond those that content and responses
///     make up for; past it the connection ends
/// @param resetsMax streams that end by a reset, or are refused, in [#floodNanos], beyond the number
///     of finished responses; past it the connection ends
/// @param floodNanos the time after which both are counted anew
public record Http2Limits(
        boolean enabled,
        int streamsMax,
        int tableMaxBytes,
        int streamWindowBytes,
        int connectionWindowBytes,
        int streamWindowMaxBytes,
        int connectionWindowMaxBytes,
        int frameMaxBytes,
        long pingNanos,
        int continuationsMax,
        int framesMax,
        int resetsMax,
        long floodNanos) {
    /// On, 100, 4 KiB, 64 KiB, 256 KiB, 1 MiB, 2 MiB, 16 KiB, 60 s, 8, 1,000, 200, 10 s.
    public static final Http2Limits DEFAULT = new Draft().build();

    /// The window that every connection and stream has at first (RFC 9113 §6.9.2).
    private static final int LEAST_WINDOW_BYTES = 65_535;

    /// The largest payload of a frame that every peer takes (RFC 9113 §4.2).
    private static final int MOST_FRAME_BYTES = 16_384;

    /// Checks the windows and the size of frames.
    public Http2Limits {
        if (streamWindowBytes < LEAST_WINDOW_BYTES || connectionWindowBytes < LEAST_WINDOW_BYTES) {
            throw new IllegalArgumentException(
                    "A window of HTTP/2 must have at least 65,535 bytes, not "
                            + Math.min(streamWindowBytes, connectionWindowBytes));
        }
        if (frameMaxBytes < 1 || frameMaxBytes > MOST_FRAME_BYTES) {
            throw new IllegalArgumentException(
                    "A frame of HTTP/2 must have from 1 to 16,384 bytes of content, not "
                            + frameMaxBytes);
        }
    }

    /// Returns a copy in which `change` has set some limits.
    public Http2Limits with(Consumer<Draft> change) {
        Draft draft = draft();
        change.accept(draft);
        return draft.build();
    }

    Draft draft() {
        Draft draft = new Draft();
        draft.enabled = enabled;
        draft.streamsMax = streamsMax;
        draft.tableMaxBytes = tableMaxBytes;
        draft.streamWindowBytes = streamWindowBytes;
        draft.connectionWindowBytes = connectionWindowBytes;
        draft.streamWindowMaxBytes = streamWindowMaxBytes;
        draft.connectionWindowMaxBytes = connectionWindowMaxBytes;
        draft.frameMaxBytes = frameMaxBytes;
        draft.pingNanos = pingNanos;
        draft.continuationsMax = continuationsMax;
        draft.framesMax = framesMax;
        draft.resetsMax = resetsMax;
        draft.floodNanos = floodNanos;
        return draft;
    }

    /// These limits while they are chosen, with the defaults at first.
    public static final class Draft {
        public boolean enabled = true;
        public int streamsMax = 100;
        public int tableMaxBytes = 4096;
        public int streamWindowBytes = 64 << 10;
        public int connectionWindowBytes = 256 << 10;
        public int streamWindowMaxBytes = 1 << 20;
        public int connectionWindowMaxBytes = 2 << 20;
        public int frameMaxBytes = 16 << 10;
        public long pingNanos = SECONDS.toNanos(60);
        public int continuationsMax = 8;
        public int framesMax = 1000;
        public int resetsMax = 200;
        public long floodNanos = SECONDS.toNanos(10);

        private Draft() {}

        Http2Limits build() {
            return new Http2Limits(
                    enabled,
                    streamsMax,
                    tableMaxBytes,
                    streamWindowBytes,
                    connectionWindowBytes,
                    streamWindowMaxBytes,
                    connectionWindowMaxBytes,
                    frameMaxBytes,
                    pingNanos,
                    continuationsMax,
                    framesMax,
                    resetsMax,
                    floodNanos);
        }
    }
}
