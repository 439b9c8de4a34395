package dev.serval.http2;

/// The priorities that PRIORITY_UPDATE frames have given streams before their requests (RFC 9218 §7.1).
/// Remembers only the last ones, and takes no memory before the first. Owned by the connection.
public final class EarlyPriorities {
    /// Returned by [#take] if there is none.
    public static final int NONE = -1;

    private static final int KEPT = 32; // a power of two
    private static final int[] EMPTY = {};

    private int[] numbers = EMPTY; // 0: free
    private int[] priorities = EMPTY;
    private int next;

    /// Creates an empty list.
    public EarlyPriorities() {}

    /// Notes the priority of a stream that was not opened yet. The last one for a stream counts.
    public void put(int stream, int priority) {
        if (numbers.length == 0) {
            numbers = new int[KEPT];
            priorities = new int[KEPT];
        }
        int at = find(stream);
        if (at < 0) {
            at = next++ & (KEPT - 1);
        }
        numbers[at] = stream;
        priorities[at] = priority;
    }

    /// Takes out the priority of a stream that is opened now, or [#NONE].
    public int take(int stream) {
        int at = find(stream);
        if (at < 0) {
            return NONE;
        }
        numbers[at] = 0;
        return priorities[at];
    }

    private int find(int stream) {
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] == stream) {
                return i;
            }
        }
        return NONE;
    }
}
