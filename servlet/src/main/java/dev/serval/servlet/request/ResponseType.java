package dev.serval.servlet.request;

import dev.serval.servlet.parameter.MediaType;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import org.jspecify.annotations.Nullable;

/// Media type and charset of a response (Servlet 6.1 §5.6). The charset comes from the strongest of
/// these: an explicit call or the Content-Type, the locale, the application's declaration. The last
/// is for text only, so Content-Type names it after a writer has used it: an image has no charset.
final class ResponseType {
    private static final String DEFAULT = "ISO-8859-1";

    private final @Nullable String declared; // by the application, for all responses
    private @Nullable String type; // without charset
    private @Nullable String charset; // explicit
    private @Nullable String ofLocale;
    private boolean fixed; // a writer uses the charset

    ResponseType(@Nullable String declared) {
        this.declared = declared;
    }

    /// Sets the media type, with its charset if it names one; null removes both, and the charset of
    /// the locale. The application's declaration stays.
    ///
    /// @throws IllegalArgumentException if a field cannot carry it
    void set(@Nullable String value) {
        if (value == null) {
            type = null;
            charset(null);
            return;
        }
        check(value);
        @Nullable MediaType parsed =
                value.indexOf(';') < 0 ? null : MediaType.parse(value); // most have no parameter
        @Nullable String named = parsed == null ? null : parsed.charset();
        if (parsed == null || named == null) {
            type = value;
            return;
        }
        type = withoutCharset(value);
        if (!fixed) {
            charset = named;
        }
    }

    /// Sets the charset; null removes it and that of the locale. The application's declaration
    /// stays.
    ///
    /// @throws IllegalArgumentException if a field cannot carry it
    void charset(@Nullable String name) {
        if (name != null) {
            check(name);
        }
        if (!fixed) {
            charset = name;
            if (name == null) {
                ofLocale = null;
            }
        }
    }

    /// Sets the charset of the locale; null if it has none.
    void charsetOfLocale(@Nullable String name) {
        if (!fixed) {
            ofLocale = name;
        }
    }

    /// Fixes the charset, because a writer uses it.
    ///
    /// @throws UnsupportedCharsetException if the JVM does not have it
    Charset fix() {
        String name = charsetName();
        try {
            Charset found =
                    name.equals(DEFAULT) ? StandardCharsets.ISO_8859_1 : Charset.forName(name);
            if (charset == null) {
                charset = name;
            }
            fixed = true;
            return found;
        } catch (IllegalCharsetNameException e) {
            UnsupportedCharsetException unsupported = new UnsupportedCharsetException(name);
            unsupported.initCause(e);
            throw unsupported;
        }
    }

    /// Releases the charset, because the writer is gone (`reset`).
    void release() {
        fixed = false;
    }

    /// Returns the name of the charset in effect.
    String charsetName() {
        @Nullable String known = chosen();
        if (known != null) {
            return known;
        }
        return declared == null ? DEFAULT : declared;
    }

    /// Returns the charset of this response; null if it is that of all responses.
    private @Nullable String chosen() {
        return charset != null ? charset : ofLocale;
    }

    /// Returns the value of Content-Type; null if there is none.
    @Nullable String value() {
        @Nullable String name = chosen();
        return type == null || name == null ? type : type + ";charset=" + name;
    }

    /// Clears all but the application's declaration.
    void clear() {
        type = null;
        charset = null;
        ofLocale = null;
        fixed = false;
    }

    /// Refuses control characters where the application sets them, as other fields do. The head is
    /// made too late for its error page.
    private static void check(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < ' ' && c != '\t') || c == 0x7f) {
                throw new IllegalArgumentException(
                        "The value of Content-Type must not have U+%04X at index %d (RFC 9110 §5.5)"
                                .formatted((int) c, i));
            }
        }
    }

    /// Returns the value as given, without its charset parameter.
    private static String withoutCharset(String value) {
        StringBuilder kept = new StringBuilder(value.length());
        int at = 0;
        while (at < value.length()) {
            int end = value.indexOf(';', at);
            end = end < 0 ? value.length() : end;
            String piece = value.substring(at, end);
            if (!piece.strip().regionMatches(true, 0, "charset=", 0, "charset=".length())) {
                kept.append(kept.isEmpty() ? "" : ";").append(piece);
            }
            at = end + 1;
        }
        return kept.toString().strip();
    }
}
