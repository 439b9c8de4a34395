package dev.serval.codec;

/// The characters that a request target may have (RFC 3986 §3.3, §3.4), with those that browsers send
/// although they should be encoded. Immutable.
public final class TargetCharacters {
    private static final String IN_PATH = "[]|^"; // raw in browsers' paths
    private static final String IN_QUERY = "[]{}|^\\`"; // raw in browsers' queries

    private final boolean[] path = new boolean[256];
    private final boolean[] query = new boolean[256];
    private final boolean barePercent;

    /// Creates the rules.
    ///
    /// @param browserPath whether a path may have the characters of browsers
    /// @param browserQuery likewise for a query
    /// @param barePercent whether a query may have a `%` that two hexadecimal digits do not follow
    public TargetCharacters(boolean browserPath, boolean browserQuery, boolean barePercent) {
        for (int b = 0; b < 256; b++) {
            path[b] = ByteRules.path(b);
            query[b] = ByteRules.query(b);
        }
        if (browserPath) {
            accept(IN_PATH, path);
        }
        if (browserQuery) {
            accept(IN_QUERY, query);
        }
        this.barePercent = barePercent;
    }

    /// Returns the index of the first byte in `bytes[from, to)` that no path has, or `to`.
    public int pathEnd(byte[] bytes, int from, int to) {
        int i = from;
        while (i < to && path[bytes[i] & 0xff]) {
            i++;
        }
        return i;
    }

    /// Returns the index of the first byte in `bytes[from, to)` that no query has there, or `to`.
    public int queryEnd(byte[] bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            int b = bytes[i];
            if (!query[b & 0xff] || (b == '%' && !barePercent && !encoded(bytes, i, to))) {
                return i;
            }
        }
        return to;
    }

    private static boolean encoded(byte[] bytes, int at, int to) {
        return at + 2 < to && ByteRules.hex(bytes[at + 1]) && ByteRules.hex(bytes[at + 2]);
    }

    private static void accept(String characters, boolean[] into) {
        for (int i = 0; i < characters.length(); i++) {
            into[characters.charAt(i)] = true;
        }
    }
}
