package dev.serval.http2;

/// The window that this server gives its client, for a stream or a connection (RFC 9113 §6.9). It is
/// opened again for bytes that were read or dropped, a quarter of it at a time, so that few frames are
/// needed. Owned by the connection.
public final class ReceiveWindow {
    private int size;
    private long left;
    private int owed; // taken, but not granted again yet

    /// Creates a window.
    public ReceiveWindow(int bytes) {
        reset(bytes);
    }

    /// Sets the window of a new stream.
    public void reset(int bytes) {
        size = bytes;
        left = bytes;
        owed = 0;
    }

    /// Notes arrived bytes.
    ///
    /// @return whether the client was allowed to send them
    public boolean spend(int bytes) {
        left -= bytes;
        return left >= 0;
    }

    /// Notes bytes that need no memory any more.
    ///
    /// @return the number of bytes to grant the client now, perhaps 0
    public int take(int bytes) {
        owed += bytes;
        if (owed < size / 4) {
            return 0;
        }
        int granted = owed;
        left += granted;
        owed = 0;
        return granted;
    }
}
