package dev.serval.servlet.multipart;

import dev.serval.codec.ByteRules;
import org.jspecify.annotations.Nullable;

/// The Content-Disposition of a part: `form-data` with a name and perhaps a file name (RFC 7578
/// §4.2). Immutable.
///
/// Browsers percent-encode three characters in quoted values, and no others (HTML standard,
/// "multipart/form-data encoding algorithm"): `%22`, `%0D` and `%0A`. They are decoded in the name.
/// In the file name only `%22` is decoded, so that no file name has a line end. A backslash escapes
/// only a quote or a backslash, because old browsers sent Windows paths as they are. `filename*`
/// is ignored, since senders must not use it here.
///
/// @param name the name of the form's field
/// @param fileName the name of the file as the client sent it, perhaps with a path; null if absent
record Disposition(String name, @Nullable String fileName) {
    private static final String FORM_DATA = "form-data";

    /// Reads the value of the field; null if it is malformed, ambiguous or has no name.
    static @Nullable Disposition parse(String value) {
        if (!value.regionMatches(true, 0, FORM_DATA, 0, FORM_DATA.length())) {
            return null;
        }
        @Nullable String name = null;
        @Nullable String fileName = null;
        int at = skipBlank(value, FORM_DATA.length());
        while (at < value.length()) {
            if (value.charAt(at) != ';') {
                return null;
            }
            int keyAt = skipBlank(value, at + 1);
            int keyEnd = tokenEnd(value, keyAt);
            if (keyEnd == keyAt) {
                at = keyEnd; // an empty parameter, as in "a;;b" or "a;"
                continue;
            }
            int end = keyEnd < value.length() ? valueEnd(value, keyEnd) : -1;
            if (end < 0) {
                return null;
            }
            String text = value.substring(keyEnd + 1, end);
            String key = value.substring(keyAt, keyEnd);
            if (key.equalsIgnoreCase("name")) {
                if (name != null) {
                    return null;
                }
                name = lineEnds(unquoted(text));
            } else if (key.equalsIgnoreCase("filename")) {
                if (fileName != null) {
                    return null;
                }
                fileName = unquoted(text);
            }
            at = skipBlank(value, end);
        }
        return name == null ? null : new Disposition(name, fileName);
    }

    /// Returns the end of `=value` from `equals` on, or -1 if it is malformed.
    private static int valueEnd(String text, int equals) {
        if (text.charAt(equals) != '=') {
            return -1;
        }
        int i = equals + 1;
        if (i < text.length() && text.charAt(i) == '"') {
            for (i++; i < text.length(); i++) {
                if (text.charAt(i) == '"') {
                    return i + 1;
                }
                if (escapes(text, i)) {
                    i++;
                }
            }
            return -1;
        }
        while (i < text.length() && !ends(text.charAt(i))) {
            i++;
        }
        return i > equals + 1 ? i : -1;
    }

    private static String unquoted(String text) {
        if (text.charAt(0) != '"') {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        int end = text.length() - 1;
        for (int i = 1; i < end; i++) {
            if (escapes(text, i)) {
                i++;
            }
            if (text.startsWith("%22", i)) {
                plain.append('"');
                i += 2;
            } else {
                plain.append(text.charAt(i));
            }
        }
        return plain.toString();
    }

    private static String lineEnds(String text) {
        return text.indexOf('%') < 0 ? text : text.replace("%0D", "\r").replace("%0A", "\n");
    }

    private static boolean escapes(String text, int i) {
        boolean last = i + 1 >= text.length();
        return text.charAt(i) == '\\'
                && !last
                && (text.charAt(i + 1) == '"' || text.charAt(i + 1) == '\\');
    }

    private static boolean ends(char c) {
        return c == ';' || c == '"' || c == ' ' || c == '\t';
    }

    private static int tokenEnd(String text, int from) {
        int i = from;
        while (i < text.length() && ByteRules.token(text.charAt(i))) {
            i++;
        }
        return i;
    }

    private static int skipBlank(String text, int from) {
        int i = from;
        while (i < text.length() && (text.charAt(i) == ' ' || text.charAt(i) == '\t')) {
            i++;
        }
        return i;
    }
}
