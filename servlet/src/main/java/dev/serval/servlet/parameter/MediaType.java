package dev.serval.servlet.parameter;

import dev.serval.codec.ByteRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A Content-Type: a media type and its parameters (RFC 9110 §8.3.1). Immutable.
///
/// Type and subtype must be tokens. Leniency: a malformed parameter is skipped, because clients send
/// such types and the type itself is clear. Of two parameters with one name the first counts.
public final class MediaType {
    /// The content of an HTML form (URL standard §5).
    public static final String FORM = "application/x-www-form-urlencoded";

    /// The content of an HTML form with files (RFC 7578).
    public static final String MULTIPART = "multipart/form-data";

    private static final MediaType PLAIN_FORM = new MediaType(FORM, List.of());
    private static final int PARAMETERS_MAX = 16;

    private final String essence;
    private final List<String> namesAndValues;

    private MediaType(String essence, List<String> namesAndValues) {
        this.essence = essence;
        this.namesAndValues = namesAndValues;
    }

    /// Reads the value of a Content-Type field.
    ///
    /// @return null if it is not a media type
    public static @Nullable MediaType parse(String value) {
        if (value.equals(FORM)) {
            return PLAIN_FORM;
        }
        int semicolon = value.indexOf(';');
        int end = semicolon < 0 ? value.length() : semicolon;
        String essence = value.substring(0, end).strip();
        int slash = essence.indexOf('/');
        if (slash < 0
                || !token(essence, 0, slash)
                || !token(essence, slash + 1, essence.length())) {
            return null;
        }
        List<String> parameters = semicolon < 0 ? List.of() : parameters(value, semicolon);
        return new MediaType(essence.toLowerCase(Locale.ROOT), parameters);
    }

    /// Returns type and subtype in lower case, such as `text/html`.
    public String essence() {
        return essence;
    }

    /// Returns whether type and subtype are those.
    ///
    /// @param lowerCase such as [#FORM]
    public boolean is(String lowerCase) {
        return essence.equals(lowerCase);
    }

    /// Returns the value of a parameter without quotes; null if there is none.
    ///
    /// @param name in any case
    public @Nullable String parameter(String name) {
        for (int i = 0; i < namesAndValues.size(); i += 2) {
            if (namesAndValues.get(i).equalsIgnoreCase(name)) {
                return namesAndValues.get(i + 1);
            }
        }
        return null;
    }

    /// Returns the name of the charset as it was sent, which may be unknown; null if there is none.
    public @Nullable String charset() {
        return parameter("charset");
    }

    /// Returns a copy without the parameter.
    public MediaType without(String name) {
        List<String> kept = new ArrayList<>(namesAndValues.size());
        for (int i = 0; i < namesAndValues.size(); i += 2) {
            if (!namesAndValues.get(i).equalsIgnoreCase(name)) {
                kept.add(namesAndValues.get(i));
                kept.add(namesAndValues.get(i + 1));
            }
        }
        return new MediaType(essence, List.copyOf(kept));
    }

    /// Returns the text for a Content-Type field. Values that are not tokens are quoted.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(essence);
        for (int i = 0; i < namesAndValues.size(); i += 2) {
            String value = namesAndValues.get(i + 1);
            text.append(';').append(namesAndValues.get(i)).append('=');
            if (token(value, 0, value.length())) {
                text.append(value);
            } else {
                quote(value, text);
            }
        }
        return text.toString();
    }

    private static List<String> parameters(String value, int semicolon) {
        List<String> found = new ArrayList<>(2);
        int at = semicolon;
        while (at < value.length() && found.size() < 2 * PARAMETERS_MAX) {
            int nameAt = skipBlank(value, at + 1);
            int nameEnd = nameAt;
            while (nameEnd < value.length() && ByteRules.token(value.charAt(nameEnd))) {
                nameEnd++;
            }
            boolean hasValue =
                    nameEnd > nameAt && nameEnd < value.length() && value.charAt(nameEnd) == '=';
            boolean quoted = hasValue && value.startsWith("\"", nameEnd + 1);
            int end = quoted ? quotedEnd(value, nameEnd + 2) : next(value, nameEnd);
            if (hasValue && end >= 0) {
                addParameter(value, nameAt, nameEnd, end, found);
            }
            at = end < 0 ? value.length() : next(value, end);
        }
        return found;
    }

    /// Adds the parameter whose value ends at `end`, if it is well-formed.
    private static void addParameter(
            String value, int nameAt, int nameEnd, int end, List<String> found) {
        String text = value.substring(nameEnd + 1, end);
        boolean quoted = text.startsWith("\"");
        String plain = quoted ? unquoted(text) : text.stripTrailing();
        boolean clean =
                quoted
                        ? skipBlank(value, end) == next(value, end)
                        : token(plain, 0, plain.length());
        if (clean) {
            found.add(value.substring(nameAt, nameEnd));
            found.add(plain);
        }
    }

    /// Returns the index of the next semicolon, or the length.
    private static int next(String value, int from) {
        int semicolon = value.indexOf(';', from);
        return semicolon < 0 ? value.length() : semicolon;
    }

    /// Returns the index after the closing quote, or -1.
    private static int quotedEnd(String value, int from) {
        for (int i = from; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"') {
                return i + 1;
            }
            if (c == '\\') {
                i++;
            }
        }
        return -1;
    }

    private static String unquoted(String quoted) {
        StringBuilder text = new StringBuilder(quoted.length());
        for (int i = 1; i < quoted.length() - 1; i++) {
            if (quoted.charAt(i) == '\\') {
                i++;
            }
            text.append(quoted.charAt(i));
        }
        return text.toString();
    }

    private static void quote(String value, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c);
        }
        text.append('"');
    }

    private static int skipBlank(String value, int from) {
        int at = from;
        while (at < value.length() && (value.charAt(at) == ' ' || value.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    private static boolean token(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!ByteRules.token(text.charAt(i))) {
                return false;
            }
        }
        return to > from;
    }
}
