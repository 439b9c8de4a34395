package dev.serval.file;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/// Holds an entity tag of ours (RFC 9110 §8.8.3) and compares it with a field's tags as bytes.
/// Immutable.
final class EntityTag {
    private static final int HASH_BYTES = 12; // 96 bits make collisions negligible

    private final byte[] bytes;
    private final boolean weak;

    private EntityTag(String text, boolean weak) {
        this.bytes = text.getBytes(StandardCharsets.US_ASCII);
        this.weak = weak;
    }

    /// Returns the tag `"opaque"` with the hash of `bytes`.
    static EntityTag strong(byte[] bytes) {
        return new EntityTag('"' + hash(bytes) + '"', false);
    }

    /// Returns the tag `W/"opaque"` with the hash of `bytes`.
    static EntityTag weak(byte[] bytes) {
        return new EntityTag("W/\"" + hash(bytes) + '"', true);
    }

    /// Returns whether If-Match (§13.1.1) is true: it is `*`, or contains this tag by strong
    /// comparison.
    boolean inIfMatch(Fields fields) {
        return listed(fields, FieldName.IF_MATCH, true);
    }

    /// Returns whether If-None-Match (§13.1.2) is `*`, or contains this tag by weak comparison.
    boolean inIfNoneMatch(Fields fields) {
        return listed(fields, FieldName.IF_NONE_MATCH, false);
    }

    /// Returns whether `value[from, to)` is exactly this tag, by strong comparison (§8.8.3.2).
    boolean isExactly(byte[] value, int from, int to) {
        return !weak && Arrays.equals(value, from, to, bytes, 0, bytes.length);
    }

    @Override
    public String toString() {
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    private boolean listed(Fields fields, FieldName name, boolean strongly) {
        byte[] all = fields.buffer();
        for (int i = fields.indexOf(name, 0); i >= 0; i = fields.indexOf(name, i + 1)) {
            int from = fields.valueAt(i);
            int to = fields.valueEnd(i);
            if ((to - from == 1 && all[from] == '*') || listed(all, from, to, strongly)) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether `#entity-tag` contains this tag. Empty elements are skipped (§5.6.1.2). Text
    /// that is no entity tag ends the search, because the tags after it cannot be recognized
    /// reliably.
    boolean listed(byte[] value, int from, int to, boolean strongly) {
        int at = skipSeparators(value, from, to);
        while (at < to) {
            boolean itsWeak = at + 1 < to && value[at] == 'W' && value[at + 1] == '/';
            int opaque = itsWeak ? at + 2 : at;
            int end = endOfOpaque(value, opaque, to);
            if (end < 0) {
                return false;
            }
            if (!(strongly && (itsWeak || weak)) && opaqueIs(value, opaque, end)) {
                return true;
            }
            at = skipSeparators(value, end, to);
            if (at == end && at < to) {
                return false;
            }
        }
        return false;
    }

    private boolean opaqueIs(byte[] value, int from, int to) {
        int own = weak ? 2 : 0;
        return Arrays.equals(value, from, to, bytes, own, bytes.length);
    }

    private static int skipSeparators(byte[] value, int from, int to) {
        int at = from;
        while (at < to && (value[at] == ',' || value[at] == ' ' || value[at] == '\t')) {
            at++;
        }
        return at;
    }

    /// Returns the index after `"…"` at `from`, or -1.
    private static int endOfOpaque(byte[] value, int from, int to) {
        if (from >= to || value[from] != '"') {
            return -1;
        }
        int at = from + 1;
        while (at < to && value[at] != '"') {
            int b = value[at];
            if ((b >= 0 && b <= ' ') || b == 0x7f) {
                return -1; // etagc excludes spaces and controls
            }
            at++;
        }
        return at < to ? at + 1 : -1;
    }

    /// Creates a tag, so that the JDK's classes for it are loaded.
    static void link() {
        EntityTag _ = strong(new byte[0]);
    }

    private static String hash(byte[] bytes) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(bytes);
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(Arrays.copyOf(whole, HASH_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every JDK has SHA-256", e);
        }
    }
}
