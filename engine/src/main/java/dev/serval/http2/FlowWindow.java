package dev.serval.http2;

/// The number of content bytes that one side may still send, on a stream or a connection (RFC 9113
/// §6.9). It is negative after a setting has lowered it. Owned by the connection.
public final class FlowWindow {
    /// The largest window in bytes.
    public static final int MAX = Integer.MAX_VALUE;

    private long bytes;
    private long spent;

    /// Creates a window.
    public FlowWindow(int bytes) {
        this.bytes = bytes;
    }

    /// Sets the window of a new stream.
    public void reset(int size) {
        bytes = size;
        spent = 0;
    }

    /// Returns the number of bytes left.
    public long left() {
        return bytes;
    }

    /// Returns the number of bytes used so far.
    public long spent() {
        return spent;
    }

    /// Uses bytes.
    ///
    /// @return whether there were that many
    public boolean spend(long count) {
        bytes -= count;
        spent += count;
        return bytes >= 0;
    }

    /// Adds bytes. A change of settings may add a negative number.
    ///
    /// @return whether the window does not exceed [#MAX]
    public boolean grant(long count) {
        bytes += count;
        return bytes <= MAX;
    }
}
