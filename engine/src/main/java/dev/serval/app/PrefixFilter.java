package dev.serval.app;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A filter and the prefix of the paths that it covers. Immutable.
final class PrefixFilter {
    private final byte[] prefix; // empty for the root
    private final AppFilter filter;

    /// Creates a filter.
    ///
    /// @throws IllegalArgumentException if the prefix is malformed
    PrefixFilter(String prefix, AppFilter filter) {
        requirePlain(prefix, "A filter covers requests");
        this.prefix = prefix.equals("/") ? new byte[0] : prefix.getBytes(StandardCharsets.UTF_8);
        this.filter = filter;
    }

    /// Throws unless `prefix` is `/` or `/name[/name…]`.
    static void requirePlain(String prefix, String what) {
        boolean plain =
                PathPattern.of(prefix).segments().stream()
                        .allMatch(segment -> segment instanceof PathPattern.Segment.Literal);
        if (!plain || (!prefix.equals("/") && prefix.endsWith("/"))) {
            throw new IllegalArgumentException(
                    what
                            + " below a prefix, / or /name, without parameters and without a slash at"
                            + " its end: \""
                            + prefix
                            + "\"");
        }
    }

    AppFilter filter() {
        return filter;
    }

    boolean mayBlock() {
        return !(filter instanceof AppFilter.OnLoop);
    }

    /// Returns whether the path `bytes[from, to)` is the prefix or below it.
    boolean covers(byte[] bytes, int from, int to) {
        int end = from + prefix.length;
        return end <= to
                && Arrays.equals(bytes, from, end, prefix, 0, prefix.length)
                && (end == to || bytes[end] == '/');
    }
}
