package dev.serval.gateway.proxy;

import dev.serval.http.Target;
import dev.serval.http.TargetPath;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Writes the target of a forwarded request. Dot segments and empty segments are removed, as for
/// the choice of the mount, so that the upstream cannot resolve them to a path outside of it. All
/// other bytes stay as the client has encoded them. Owned by one loop.
final class ForwardPath {
    private byte[] bytes = new byte[512];
    private int length;

    /// Writes the target.
    ///
    /// @param prefixLength length in bytes of the mount's prefix in the normalised path
    /// @param base replaces the prefix; null to keep the whole path
    void write(Target target, int prefixLength, byte @Nullable [] base) {
        TargetPath path = target.path();
        length = 0;
        if (path.isAsSent()) {
            int skipped = base == null ? 0 : prefixLength;
            append(base);
            append(path.buffer(), path.from() + skipped, path.to());
        } else {
            normalised(target, base == null ? 0 : segments(path, prefixLength), base);
        }
        if (length == 0 || bytes[0] != '/') {
            insertSlash();
        }
        int query = target.queryFrom();
        if (query >= 0) {
            append(target.buffer(), query - 1, target.originTo());
        }
    }

    /// Returns the array whose first [#length] bytes are the target.
    byte[] array() {
        return bytes;
    }

    int length() {
        return length;
    }

    private static int segments(TargetPath path, int prefixLength) {
        int segments = 0;
        for (int i = path.from(); i < path.from() + prefixLength; i++) {
            segments += path.buffer()[i] == '/' ? 1 : 0;
        }
        return segments;
    }

    /// Writes the raw path without dot and empty segments, and without its first `skipped` ones.
    private void normalised(Target target, int skipped, byte @Nullable [] base) {
        byte[] raw = target.buffer();
        int query = target.queryFrom();
        int end = query < 0 ? target.originTo() : query - 1;
        boolean folder = true; // whether the path ends with a slash
        int at = target.originFrom();
        while (at < end) {
            int from = at + 1;
            at = slash(raw, from, end);
            int dots = dots(raw, from, at);
            folder = dots > 0 || from == at;
            if (dots == 2) {
                removeLast();
            } else if (!folder) {
                append(raw, from - 1, at);
            }
        }
        if (folder) {
            appendByte('/');
        }
        if (base != null) {
            int rest = 0;
            for (int i = 0; i < skipped; i++) {
                rest = slash(bytes, rest + 1, length);
            }
            byte[] below = Arrays.copyOfRange(bytes, Math.min(rest, length), length);
            length = 0;
            append(base);
            append(below, 0, below.length);
        }
    }

    private static int slash(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != '/') {
            at++;
        }
        return at;
    }

    /// Returns 1 for `.`, 2 for `..`, both also percent-encoded, and 0 for any other segment.
    private static int dots(byte[] raw, int from, int to) {
        int dots = 0;
        int at = from;
        while (at < to) {
            boolean encoded =
                    at + 2 < to
                            && raw[at] == '%'
                            && raw[at + 1] == '2'
                            && (raw[at + 2] | 0x20) == 'e';
            if (!encoded && raw[at] != '.') {
                return 0;
            }
            dots++;
            at += encoded ? 3 : 1;
        }
        return dots <= 2 ? dots : 0;
    }

    private void removeLast() {
        while (length > 0 && bytes[--length] != '/') {
            // up to its slash
        }
    }

    private void insertSlash() {
        appendByte(0);
        System.arraycopy(bytes, 0, bytes, 1, length - 1);
        bytes[0] = '/';
    }

    private void append(byte @Nullable [] source) {
        if (source != null) {
            append(source, 0, source.length);
        }
    }

    private void appendByte(int b) {
        reserve(1);
        bytes[length++] = (byte) b;
    }

    private void append(byte[] source, int from, int to) {
        reserve(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
