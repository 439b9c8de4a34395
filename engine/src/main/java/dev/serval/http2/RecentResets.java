package dev.serval.http2;

/// The streams that were reset lately. Frames for them may still be on their way, which is no fault
/// (RFC 9113 §5.1). Takes no memory before the first reset. Owned by the connection.
public final class RecentResets {
    private static final int[] NONE = {};
    private static final int KEPT_MAX = 4096;

    private final int kept;
    private int[] numbers = NONE; // negative if reset by the server
    private int next;

    /// Creates an empty list.
    ///
    /// @param resetsMax how many streams a client may have reset at once, of which none is forgotten
    public RecentResets(int resetsMax) {
        kept = Math.clamp(resetsMax, 1, KEPT_MAX);
    }

    /// Adds a stream.
    public void add(int stream, boolean byServer) {
        if (numbers.length == 0) {
            numbers = new int[kept];
        }
        numbers[next] = byServer ? -stream : stream;
        next = (next + 1) % kept;
    }

    /// Notes that the client has reset a stream too. If the server had reset it, no frame of it is on
    /// its way any more.
    public void alsoByClient(int stream) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == -stream) {
                numbers[i] = stream;
            }
        }
    }

    /// Returns whether that side has reset the stream lately.
    public boolean has(int stream, boolean byServer) {
        int wanted = byServer ? -stream : stream;
        for (int number : numbers) {
            if (number == wanted) {
                return true;
            }
        }
        return false;
    }
}
