package dev.serval.http;

import dev.serval.codec.ByteRules;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The path of a request's target in normal form: percent-encodings decoded, empty and dot segments
/// removed (RFC 3986 §6.2.2, Servlet 6.1 §3.5.2). Every component compares this form.
///
/// Paths with more than one interpretation are refused:
///
/// - an encoded slash or a backslash;
/// - control characters;
/// - dot segments with parameters;
/// - bytes that are not UTF-8;
/// - segments that climb above the root.
///
/// A path in normal form is only scanned and not copied; any other is written to the object's own
/// memory. The object is reused for each request. Owned by the request's head.
public final class TargetPath {
    private static final ProtocolError BAD_ENCODING =
            error("the path has a % without two hexadecimal digits after it", "RFC 3986 §2.1");
    private static final ProtocolError AMBIGUOUS =
            error(
                    "the path has an encoded slash, a backslash or a control character",
                    "RFC 3986 §7.3");
    private static final ProtocolError ABOVE_ROOT =
            error("the path climbs above the root", "RFC 3986 §5.2.4");
    private static final ProtocolError DOTS_WITH_PARAMETERS =
            error("the path has a dot segment with parameters", "Servlet 6.1 §3.5.2");
    private static final ProtocolError NOT_UTF_8 =
            error("the decoded path is not UTF-8", "RFC 3986 §2.5");
    private static final byte[] NONE = {};
    private static final byte[] ROOT = {'/'};

    private byte[] bytes = NONE;
    private int from;
    private int to;
    private byte[] decoded = NONE;
    private boolean borrowed; // the bytes belong to the head
    private @Nullable String text;

    TargetPath() {}

    /// Sets the raw path `raw[from, to)`. It begins with a slash, and the caller has checked that
    /// it has only path characters.
    ///
    /// @return what is wrong with it, or null
    @Nullable ProtocolError set(byte[] raw, int from, int to) {
        text = null;
        if (plain(raw, from, to)) {
            this.bytes = raw;
            this.from = from;
            this.to = to;
            this.borrowed = true;
            return null;
        }
        return normalise(raw, from, to);
    }

    /// Sets the path to `/`.
    void root() {
        text = null;
        bytes = ROOT;
        from = 0;
        to = 1;
        borrowed = false;
    }

    /// Returns the array that holds the path: `buffer()[from(), to())`.
    public byte[] buffer() {
        return bytes;
    }

    /// Returns the first index in [#buffer].
    public int from() {
        return from;
    }

    /// Returns the end in [#buffer], exclusive.
    public int to() {
        return to;
    }

    /// Returns the size in bytes of the object's own memory.
    int memoryBytes() {
        return decoded.length;
    }

    /// Sets the path to `/` and releases all memory.
    void release() {
        root();
        decoded = NONE;
    }

    /// Returns the length of the path in bytes.
    public int length() {
        return to - from;
    }

    /// Returns whether `prefix` is this path or a folder above it. A prefix is `/name` without a
    /// final slash, or empty.
    public boolean isBelow(byte[] prefix) {
        int end = from + prefix.length;
        return end <= to
                && Arrays.equals(bytes, from, end, prefix, 0, prefix.length)
                && (end == to || bytes[end] == '/');
    }

    /// Returns whether `prefix` would be this path or a folder above it without the parameters of its
    /// segments (`;…`), but is not with them. Some applications drop parameters, so they would see a
    /// path below `prefix`.
    public boolean hidesPrefix(byte[] prefix) {
        int at = from;
        boolean parameters = false;
        for (int i = 0; i <= prefix.length; i++) {
            if (at < to && bytes[at] == ';' && (i == prefix.length || prefix[i] == '/')) {
                parameters = true;
                while (at < to && bytes[at] != '/') {
                    at++;
                }
            }
            if (i < prefix.length && (at == to || bytes[at++] != prefix[i])) {
                return false;
            }
        }
        return parameters && (at == to || bytes[at] == '/');
    }

    /// Returns whether the path is the same as sent: nothing was decoded or removed.
    public boolean isAsSent() {
        return borrowed;
    }

    /// Returns the whole path.
    public String text() {
        @Nullable String known = text;
        if (known == null) {
            known = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            text = known;
        }
        return known;
    }

    /// Returns the path below a mount: `/name[/name…]`, or empty for the mount itself.
    ///
    /// @param prefixLength the length of the mount's prefix in bytes
    public String below(int prefixLength) {
        return prefixLength == 0
                ? text()
                : new String(
                        bytes,
                        from + prefixLength,
                        to - from - prefixLength,
                        StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return text();
    }

    /// Uses `copy`, the copied head, from now on. Every index moves by `distance`.
    void move(byte[] copy, int distance) {
        if (borrowed) {
            bytes = copy;
            from += distance;
            to += distance;
        }
    }

    private static boolean plain(byte[] raw, int from, int to) {
        byte last = 0;
        for (int i = from; i < to; i++) {
            byte b = raw[i];
            if (b == '%' || b == '\\' || (last == '/' && (b == '/' || b == '.'))) {
                return false;
            }
            last = b;
        }
        return true;
    }

    private @Nullable ProtocolError normalise(byte[] raw, int rawFrom, int rawTo) {
        useOwnMemory(rawTo - rawFrom);
        int at = 0;
        int segment = 0; // start of the current segment, at its slash
        for (int i = rawFrom; i < rawTo; i++) {
            int b = raw[i];
            if (b == '/') {
                @Nullable ProtocolError wrong = checkDots(segment, at);
                if (wrong != null) {
                    return wrong;
                }
                at = closeSegment(segment, at);
                segment = at;
            } else if (b == '%') {
                b = decode(raw, i, rawTo);
                if (b < 0) {
                    return BAD_ENCODING;
                }
                if (b == '/') {
                    return AMBIGUOUS;
                }
                i += 2;
            }
            if (b == '\\' || b < ' ' || b == 0x7f) {
                return AMBIGUOUS;
            }
            decoded[at++] = (byte) b;
        }
        @Nullable ProtocolError wrong = checkDots(segment, at);
        if (wrong != null) {
            return wrong;
        }
        to = closeLastSegment(segment, at);
        return ByteRules.utf8(decoded, 0, to) ? null : NOT_UTF_8;
    }

    private void useOwnMemory(int length) {
        if (decoded.length < length) {
            decoded = new byte[length];
        }
        bytes = decoded;
        borrowed = false;
        from = 0;
    }

    /// Returns the byte that `raw[at]`, a `%`, and its two hexadecimal digits encode, or -1.
    private static int decode(byte[] raw, int at, int to) {
        if (at + 2 >= to) {
            return -1;
        }
        int high = ByteRules.digit(raw[at + 1]);
        int low = ByteRules.digit(raw[at + 2]);
        return (high | low) < 0 ? -1 : high << 4 | low;
    }

    private @Nullable ProtocolError checkDots(int segment, int at) {
        int name = segment + 1;
        int end = name;
        while (end < at && decoded[end] != ';') {
            end++;
        }
        int dots = dots(name, end);
        if (dots > 0 && end < at) {
            return DOTS_WITH_PARAMETERS;
        }
        return dots == 2 && segment == 0 ? ABOVE_ROOT : null;
    }

    /// Closes the checked segment `[segment, at)` and returns the index at which the path
    /// continues. Removes an empty segment or `.`; removes `..` together with the segment above it.
    private int closeSegment(int segment, int at) {
        return switch (dots(segment + 1, at)) {
            case 2 -> above(segment);
            case 1 -> segment;
            default -> at - segment > 1 ? at : segment;
        };
    }

    /// Closes the last segment. The slash of a removed segment stays: `/a/..` is `/`.
    private int closeLastSegment(int segment, int at) {
        return switch (dots(segment + 1, at)) {
            case 2 -> above(segment) + 1;
            case 1 -> segment + 1;
            default -> at;
        };
    }

    /// Returns the start of the segment before the one at `segment`.
    private int above(int segment) {
        int above = segment - 1;
        while (decoded[above] != '/') {
            above--;
        }
        return above;
    }

    /// Returns 1 for `.`, 2 for `..`, and 0 for any other name.
    private int dots(int name, int end) {
        int length = end - name;
        boolean dots =
                (length == 1 || length == 2) && decoded[name] == '.' && decoded[end - 1] == '.';
        return dots ? length : 0;
    }

    private static ProtocolError error(String what, String section) {
        return new ProtocolError(Status.BAD_REQUEST, what, section);
    }
}
