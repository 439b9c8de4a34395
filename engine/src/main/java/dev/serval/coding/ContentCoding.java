package dev.serval.coding;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A content coding (RFC 9110 §8.4.1) in which content may be stored or sent.
public enum ContentCoding {
    /// Brotli (RFC 7932).
    BR(0, "br", "br"),
    /// Zstandard (RFC 8878).
    ZSTD(1, "zstd", "zst"),
    /// RFC 1952.
    GZIP(2, "gzip", "gz");

    /// All codings. Must not be changed.
    static final ContentCoding[] ALL = values();

    private static final List<ContentCoding> LIST = List.of(ALL);
    private static final byte[] X_GZIP = "x-gzip".getBytes(StandardCharsets.US_ASCII);

    private final int index;
    private final String token;

    @SuppressWarnings("ImmutableEnumChecker") // never changed
    private final byte[] bytes;

    private final String extension;

    ContentCoding(int index, String token, String extension) {
        this.index = index;
        this.token = token;
        this.bytes = token.getBytes(StandardCharsets.US_ASCII);
        this.extension = extension;
    }

    /// Returns all codings in a fixed order, without making an array.
    public static List<ContentCoding> all() {
        return LIST;
    }

    /// Returns its place in [#all].
    public int index() {
        return index;
    }

    /// Returns the value of Content-Encoding.
    public String token() {
        return token;
    }

    /// Returns the extension of files that have content in this coding, without its dot.
    public String extension() {
        return extension;
    }

    /// Returns the coding with the name `value[from, to)` in any case, or null. `x-gzip` is gzip
    /// (§8.4.1.3).
    static @Nullable ContentCoding of(byte[] value, int from, int to) {
        for (ContentCoding coding : ALL) {
            if (equal(value, from, to, coding.bytes)) {
                return coding;
            }
        }
        return equal(value, from, to, X_GZIP) ? GZIP : null;
    }

    /// Returns whether `value[from, to)` is `lower`, in any case.
    static boolean equal(byte[] value, int from, int to, byte[] lower) {
        if (to - from != lower.length) {
            return false;
        }
        if (Arrays.equals(value, from, to, lower, 0, lower.length)) {
            return true;
        }
        for (int i = 0; i < lower.length; i++) {
            int b = value[from + i];
            if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != lower[i]) {
                return false;
            }
        }
        return true;
    }
}
