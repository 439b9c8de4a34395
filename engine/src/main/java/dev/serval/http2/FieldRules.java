package dev.serval.http2;

import dev.serval.codec.ByteRules;
import dev.serval.http.FieldName;
import org.jspecify.annotations.Nullable;

/// The rules that every field line of HTTP/2 must obey (RFC 9113 §8.2). Stateless.
final class FieldRules {
    private static final boolean[] OF_CONNECTION = ofConnection();

    private FieldRules() {}

    /// Returns what is wrong with a name that is no pseudo-header field, or null.
    static @Nullable FrameError wrongName(@Nullable FieldName known, byte[] from, int at, int end) {
        for (int i = at; i < end; i++) {
            int b = from[i];
            if (!ByteRules.token(b) || (b >= 'A' && b <= 'Z')) {
                return Broken.FIELD_NAME;
            }
        }
        if (at == end) {
            return Broken.FIELD_NAME;
        }
        return isOfConnection(known) ? Broken.FIELD_OF_CONNECTION : null;
    }

    /// Returns what is wrong with a value, or null. It has no white space around it (§8.2.1).
    static @Nullable FrameError wrongValue(byte[] from, int at, int end) {
        for (int i = at; i < end; i++) {
            if (!ByteRules.field(from[i])) {
                return Broken.FIELD_VALUE;
            }
        }
        boolean blank = at < end && (isBlank(from[at]) || isBlank(from[end - 1]));
        return blank ? Broken.FIELD_VALUE : null;
    }

    /// Returns whether the field only concerns a connection of HTTP/1.1 (§8.2.2).
    static boolean isOfConnection(@Nullable FieldName name) {
        return name != null && OF_CONNECTION[name.id()];
    }

    /// Returns whether the bytes are that text in ASCII, which is in lower case, in any case.
    static boolean isInAnyCase(String text, byte[] from, int at, int end) {
        boolean same = end - at == text.length();
        for (int i = 0; same && i < text.length(); i++) {
            same = ByteRules.lower(from[at + i]) == text.charAt(i);
        }
        return same;
    }

    /// Returns whether the bytes are that text in ASCII.
    static boolean is(String text, byte[] from, int at, int end) {
        if (end - at != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (from[at + i] != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether the byte is a space or a tab.
    static boolean isBlank(int b) {
        return b == ' ' || b == '\t';
    }

    private static boolean[] ofConnection() {
        boolean[] marks = new boolean[FieldName.count()];
        FieldName[] names = {
            FieldName.CONNECTION,
            FieldName.KEEP_ALIVE,
            FieldName.PROXY_CONNECTION,
            FieldName.TRANSFER_ENCODING,
            FieldName.UPGRADE,
        };
        for (FieldName name : names) {
            marks[name.id()] = true;
        }
        return marks;
    }
}
