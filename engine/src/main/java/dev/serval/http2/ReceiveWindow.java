package dev.serval.http2;

/// The window that this server gives its client, for a stream or a connection (RFC 9113 §6.9). It is
/// opened again for bytes that were read or dropped, a quarter of it at a time, so that few frames are
/// needed.
///
/// The window doubles each time that it is opened while little of it waits to be read. Then its size
/// bounds the client, and not its reader: over a long path, a client can send no more than one window
/// in each round trip. A window whose bytes wait does not grow. While memory is short, it shrinks to
/// its first size again. Owned by the connection.
public final class ReceiveWindow {
    private static final int SHARE = 4; // of the window: a quarter

    private int first;
    private int most;
    private int size; // what the client may send, what it sent and was not read, and what is owed
    private long left;
    private long arrived;
    private int owed; // taken, but not granted again yet

    /// Creates a window.
    ///
    /// @param mostBytes the size to which it may grow
    public ReceiveWindow(int bytes, int mostBytes) {
        reset(bytes, mostBytes);
    }

    /// Sets the window of a new stream.
    public void reset(int bytes, int mostBytes) {
        first = bytes;
        most = Math.max(bytes, mostBytes);
        size = bytes;
        left = bytes;
        arrived = 0;
        owed = 0;
    }

    /// Returns the size of the window: the most bytes that can wait to be read.
    public int size() {
        return size;
    }

    /// Returns the number of bytes that the client may send now.
    public long left() {
        return left;
    }

    /// Returns the number of bytes that have arrived so far.
    public long arrived() {
        return arrived;
    }

    /// Notes arrived bytes of a frame that has used its part of the window.
    public void arrive(int bytes) {
        arrived += bytes;
    }

    /// Notes a frame of that many bytes, which follow.
    ///
    /// @return whether the client was allowed to send them
    public boolean spend(int bytes) {
        left -= bytes;
        return left >= 0;
    }

    /// Notes bytes that need no memory any more.
    ///
    /// @param isShort whether memory is short
    /// @return the number of bytes to grant the client now, perhaps 0
    public int take(int bytes, boolean isShort) {
        owed += bytes;
        if (owed < size / SHARE) {
            return 0;
        }
        int unread = (int) (size - left - owed);
        int wanted = size;
        if (isShort) {
            wanted = Math.max(first, size / 2);
        } else if (unread <= size / SHARE) {
            wanted = (int) Math.min(most, 2L * size);
        }
        int granted = (int) Math.max(0, wanted - unread - left);
        left += granted;
        owed = 0;
        size = (int) (left + unread);
        return granted;
    }
}
