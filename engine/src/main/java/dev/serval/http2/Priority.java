package dev.serval.http2;

/// The priority of a response (RFC 9218 §4), as a number without an object: the urgency from 0, the most
/// urgent, to 7, and whether the client can use the response incrementally. Stateless.
public final class Priority {
    /// The number of urgencies.
    public static final int URGENCIES = 8;

    /// The priority of a client that signals none: all its responses take turns.
    public static final int FAIR = priority(3, true);

    /// The priority that a signal has where it says nothing (RFC 9218 §4.1, §4.2).
    public static final int USUAL = priority(3, false);

    private static final int INCREMENTAL = URGENCIES;

    private Priority() {}

    /// Returns a priority.
    static int priority(int urgency, boolean incremental) {
        return urgency | (incremental ? INCREMENTAL : 0);
    }

    /// Returns the urgency.
    public static int urgency(int priority) {
        return priority & (INCREMENTAL - 1);
    }

    /// Returns whether the response shares its turns with others.
    public static boolean isIncremental(int priority) {
        return (priority & INCREMENTAL) != 0;
    }

    /// Reads the value of a field `Priority` or of a PRIORITY_UPDATE frame: a dictionary (RFC 8941
    /// §3.2). Members that are unknown or cannot be read are ignored (RFC 9218 §4).
    ///
    /// @param before the priority where the value says nothing
    public static int read(byte[] from, int start, int end, int before) {
        int priority = before;
        int at = start;
        while (at < end) {
            int next = memberEnd(from, at, end);
            priority = member(from, at, next, priority);
            at = next + 1;
        }
        return priority;
    }

    /// Returns the end of a member, which a comma ends that stands in no text.
    private static int memberEnd(byte[] from, int start, int end) {
        boolean inText = false;
        for (int at = start; at < end; at++) {
            byte b = from[at];
            if (b == '\\' && inText) {
                at++;
            } else if (b == '"') {
                inText = !inText;
            } else if (b == ',' && !inText) {
                return at;
            }
        }
        return end;
    }

    /// Applies a member, such as `u=2` or `i`, without its parameters.
    private static int member(byte[] from, int start, int end, int before) {
        int at = start;
        while (at < end && isBlank(from[at])) {
            at++;
        }
        int last = at;
        while (last < end && from[last] != ';' && !isBlank(from[last])) {
            last++;
        }
        return apply(from, at, last, before);
    }

    private static int apply(byte[] from, int at, int end, int before) {
        if (FieldRules.is("i", from, at, end) || FieldRules.is("i=?1", from, at, end)) {
            return before | INCREMENTAL;
        }
        if (FieldRules.is("i=?0", from, at, end)) {
            return urgency(before);
        }
        if (end - at != 3 || from[at] != 'u' || from[at + 1] != '=') {
            return before;
        }
        int urgency = from[at + 2] - '0';
        return urgency >= 0 && urgency < URGENCIES
                ? priority(urgency, isIncremental(before))
                : before;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }
}
