package dev.serval.app;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A filter and the paths that it covers: all below a prefix. Immutable.
final class PrefixFilter {
    private final byte[] prefix; // without the slash at its end
    private final AppFilter filter;

    /// A filter.
    ///
    /// @throws IllegalArgumentException for a prefix that no path has
    PrefixFilter(String prefix, AppFilter filter) {
        requirePlain(prefix, "A filter covers requests");
        this.prefix = prefix.equals("/") ? new byte[0] : prefix.getBytes(StandardCharsets.UTF_8);
        this.filter = filter;
    }

    /// Throws unless `prefix` is one.
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

    /// Whether the path `bytes[from, to)` is the prefix or below it.
    boolean covers(byte[] bytes, int from, int to) {
        int end = from + prefix.length;
        return end <= to
                && Arrays.equals(bytes, from, end, prefix, 0, prefix.length)
                && (end == to || bytes[end] == '/');
    }
}
