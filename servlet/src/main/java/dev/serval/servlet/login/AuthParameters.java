package dev.serval.servlet.login;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Parses the parameters of a field Authorization (RFC 9110 §11.2): `name=value` or
/// `name="value"`, separated by commas. Used once, for one value.
final class AuthParameters {
    private static final int PARAMETERS_MAX = 32;
    private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~"; // RFC 9110 §5.6.2

    private final String text;
    private final Map<String, String> found = new HashMap<>();
    private int at;

    private AuthParameters(String text, int from) {
        this.text = text;
        this.at = from;
    }

    /// Returns the parameters by their names in lower case.
    ///
    /// @param scheme the scheme that the value must begin with
    /// @return null if it has another scheme, is malformed, or has a parameter twice
    static @Nullable Map<String, String> parse(String field, String scheme) {
        int length = scheme.length();
        if (!field.regionMatches(true, 0, scheme, 0, length)
                || field.length() <= length
                || field.charAt(length) != ' ') {
            return null;
        }
        AuthParameters parser = new AuthParameters(field, length + 1);
        return parser.list() ? parser.found : null;
    }

    private boolean list() {
        skipSeparators();
        while (at < text.length()) {
            if (!parameter() || found.size() > PARAMETERS_MAX) {
                return false;
            }
            int before = at;
            skipSeparators();
            if (at < text.length() && text.substring(before, at).indexOf(',') < 0) {
                return false;
            }
        }
        return true;
    }

    private boolean parameter() {
        @Nullable String name = token();
        if (name == null) {
            return false;
        }
        skipBlanks();
        if (at >= text.length() || text.charAt(at) != '=') {
            return false;
        }
        at++;
        skipBlanks();
        boolean quoted = at < text.length() && text.charAt(at) == '"';
        @Nullable String value = quoted ? quoted() : token();
        return value != null && found.put(name.toLowerCase(Locale.ROOT), value) == null;
    }

    private void skipBlanks() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }

    private void skipSeparators() {
        while (at < text.length()
                && (text.charAt(at) == ' ' || text.charAt(at) == '\t' || text.charAt(at) == ',')) {
            at++;
        }
    }

    private @Nullable String token() {
        int from = at;
        while (at < text.length() && isTokenCharacter(text.charAt(at))) {
            at++;
        }
        return at == from ? null : text.substring(from, at);
    }

    private static boolean isTokenCharacter(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || TOKEN_MARKS.indexOf(c) >= 0;
    }

    /// Returns the text of a quoted-string (RFC 9110 §5.6.4).
    private @Nullable String quoted() {
        StringBuilder value = new StringBuilder();
        at++;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return value.toString();
            }
            if (c == '\\') {
                if (at == text.length()) {
                    return null;
                }
                c = text.charAt(at++);
            }
            value.append(c);
        }
        return null;
    }
}
