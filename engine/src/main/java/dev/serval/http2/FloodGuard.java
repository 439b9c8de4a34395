package dev.serval.http2;

import dev.serval.policy.Http2Limits;

/// Counts what a client makes the server do without getting anything on, and says when it is too much
/// (RFC 9113 §10.5). Honest clients also send such frames, in proportion to what they get: so each
/// finished response and each frame of content makes up for some. Content does so in advance, too,
/// because a client that was busy may answer a thousand small frames with as many window updates at
/// once. What was counted is forgotten after a time, and half of what was made up for in advance is.
/// Owned by the connection.
public final class FloodGuard {
    /// Frames without effect that a frame of content makes up for, such as window updates and pings
    /// that measure its pace.
    private static final int FRAMES_PER_DATA = 4;

    /// The content that makes up for one more. Some clients give back each 4 KiB that they have read by
    /// two window updates: that of the stream and that of the connection.
    private static final int BYTES_PER_FRAME = 2 << 10;

    /// Likewise a finished response.
    private static final int FRAMES_PER_RESPONSE = 16;

    /// Frames that content makes up for in advance at most, whatever a client has downloaded.
    private static final int ADVANCE_MAX = 1 << 16;

    private long sinceNanos = Long.MIN_VALUE;
    private int frames; // less than 0 if content has made up for later ones
    private int resets;

    /// Creates a guard that has counted nothing.
    public FloodGuard() {}

    /// Counts a frame that has no effect, or one that any number could follow: PING, SETTINGS,
    /// PRIORITY, PRIORITY_UPDATE, WINDOW_UPDATE, an empty DATA or CONTINUATION, an unknown one.
    ///
    /// @return whether these are too many
    public boolean frame(Http2Limits limits, long nowNanos) {
        forget(limits, nowNanos);
        return ++frames > limits.framesMax();
    }

    /// Counts a stream that the client has reset, has made the server reset, or has opened beyond
    /// the limit.
    ///
    /// @return whether these are too many
    public boolean reset(Http2Limits limits, long nowNanos) {
        forget(limits, nowNanos);
        return ++resets > limits.resetsMax();
    }

    /// Notes a frame of content, in either direction.
    ///
    /// @param bytes the length of the content
    public void data(int bytes) {
        int made = FRAMES_PER_DATA + bytes / BYTES_PER_FRAME;
        frames = Math.max(-ADVANCE_MAX, frames - made);
    }

    /// Notes a response that was sent to its end.
    public void response() {
        frames = Math.min(frames, Math.max(0, frames - FRAMES_PER_RESPONSE));
        resets = Math.max(0, resets - 1);
    }

    private void forget(Http2Limits limits, long nowNanos) {
        if (sinceNanos == Long.MIN_VALUE) {
            sinceNanos = nowNanos;
        } else if (nowNanos - sinceNanos >= limits.floodNanos()) {
            sinceNanos = nowNanos;
            frames = Math.min(0, frames) / 2; // content of just now still makes up for some
            resets = 0;
        }
    }
}
