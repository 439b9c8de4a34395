package dev.serval.log;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Finds values in fields by their bytes, without a String. Stateless.
final class FieldText {
    private FieldText() {}

    /// Returns the index of the first field of a name, or -1.
    ///
    /// @param known the known name, or null
    /// @param lower the name in lower case
    static int find(Fields fields, @Nullable FieldName known, byte[] lower) {
        if (known != null) {
            return fields.indexOf(known, 0);
        }
        byte[] bytes = fields.buffer();
        for (int i = 0; i < fields.size(); i++) {
            if (fields.id(i) < 0 && isName(bytes, fields.nameAt(i), fields.nameEnd(i), lower)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isName(byte[] bytes, int from, int to, byte[] lower) {
        if (to - from != lower.length) {
            return false;
        }
        for (int i = 0; i < lower.length; i++) {
            int b = bytes[from + i];
            if ((b >= 'A' && b <= 'Z' ? b | 0x20 : b) != lower[i]) {
                return false;
            }
        }
        return true;
    }

    /// Appends the value of the first cookie of a name.
    ///
    /// @return whether there is one
    static boolean cookie(Fields fields, byte[] name, LogLine line) {
        byte[] bytes = fields.buffer();
        for (int i = fields.indexOf(FieldName.COOKIE, 0);
                i >= 0;
                i = fields.indexOf(FieldName.COOKIE, i + 1)) {
            int at = fields.valueAt(i);
            int to = fields.valueEnd(i);
            while (at < to) {
                int end = indexOf(';', bytes, at, to);
                if (isCookie(bytes, at, end, name)) {
                    line.value(bytes, at + name.length + 1, end, Escaping.HEX);
                    return true;
                }
                at = end + 1;
                while (at < to && bytes[at] == ' ') {
                    at++;
                }
            }
        }
        return false;
    }

    private static boolean isCookie(byte[] bytes, int from, int to, byte[] name) {
        int end = from + name.length;
        return end < to
                && bytes[end] == '='
                && Arrays.equals(bytes, from, end, name, 0, name.length);
    }

    /// Returns the end of the host in an authority, before the port.
    static int hostEnd(byte[] authority, int from, int to) {
        boolean brackets = from < to && authority[from] == '[';
        int after = brackets ? indexOf(']', authority, from, to) : from;
        return indexOf(':', authority, after, to);
    }

    private static int indexOf(char sign, byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != sign) {
            at++;
        }
        return at;
    }

    /// Returns a name in lower case.
    static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
