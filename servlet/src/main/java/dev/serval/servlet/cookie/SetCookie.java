package dev.serval.servlet.cookie;

import dev.serval.codec.ByteRules;
import dev.serval.http.HttpDate;
import jakarta.servlet.http.Cookie;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// Writes the Set-Cookie field (RFC 6265 §4.1). Pure and stateless. Nothing that could end the
/// line or begin another attribute is written: such a cookie is refused.
///
/// Expires follows a Max-Age, for clients that know only Expires; Max-Age wins in all others (§5.3).
/// A Max-Age of 0, which the grammar forbids (§4.1.1: "non-zero-digit"), becomes an Expires in the
/// past alone.
public final class SetCookie {
    private static final String DOMAIN = "Domain";
    private static final String EXPIRES = "Expires";
    private static final String MAX_AGE = "Max-Age";
    private static final String PAST = "; Expires=" + HttpDate.format(0);
    private static final int USUAL_LENGTH = 96;

    private SetCookie() {}

    /// Returns the value of the field.
    ///
    /// @param nowEpochSeconds the time, for Expires
    /// @throws IllegalArgumentException if the name, the value or an attribute has a character that
    ///     cannot be sent
    public static String text(Cookie cookie, long nowEpochSeconds) {
        String name = cookie.getName();
        check(name, "name", name, ByteRules::token);
        @Nullable String value = cookie.getValue();
        StringBuilder text = new StringBuilder(USUAL_LENGTH).append(name).append('=');
        if (value != null) {
            checkValue(name, value);
            text.append(value);
        }
        boolean removed = cookie.getMaxAge() == 0;
        if (removed) {
            text.append(PAST);
        } else if (cookie.getMaxAge() > 0 && cookie.getAttribute(EXPIRES) == null) {
            long expires = nowEpochSeconds + cookie.getMaxAge();
            text.append("; ").append(EXPIRES).append('=').append(HttpDate.format(expires));
        }
        for (Map.Entry<String, String> attribute : cookie.getAttributes().entrySet()) {
            String key = attribute.getKey();
            boolean replaced =
                    removed && (key.equalsIgnoreCase(MAX_AGE) || key.equalsIgnoreCase(EXPIRES));
            if (!replaced) {
                append(name, key, attribute.getValue(), text);
            }
        }
        return text.toString();
    }

    private static void append(String cookie, String name, String value, StringBuilder text) {
        check(cookie, "attribute name", name, ByteRules::token);
        if (flag(name)) {
            if (!value.equalsIgnoreCase("false")) { // the value of Servlet 5 for a flag not set
                text.append("; ").append(name);
            }
            return;
        }
        String written = value;
        if (name.equalsIgnoreCase(DOMAIN)) {
            written = value.startsWith(".") ? value.substring(1) : value; // §5.2.3: means the same
            check(cookie, "domain", written, CookieText::host);
        }
        check(cookie, name, written, CookieText::attribute);
        text.append("; ").append(name);
        if (!written.isEmpty()) {
            text.append('=').append(written);
        }
    }

    /// Returns whether the attribute has no value: browsers set it whatever its value is (§5.2.5).
    private static boolean flag(String name) {
        return name.equalsIgnoreCase("Secure")
                || name.equalsIgnoreCase("HttpOnly")
                || name.equalsIgnoreCase("Partitioned");
    }

    private static void checkValue(String name, String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        String inside = quoted ? value.substring(1, value.length() - 1) : value;
        check(name, "value", inside, CookieText::value);
    }

    private static void check(String cookie, String what, String text, IntPredicate allowed) {
        for (int i = 0; i < text.length(); i++) {
            if (!allowed.test(text.charAt(i))) {
                throw new IllegalArgumentException(
                        "The cookie %s has U+%04X in its %s, which cookies cannot carry (RFC 6265"
                                        .formatted(
                                                printable(cookie),
                                                (int) text.charAt(i),
                                                printable(what))
                                + " §4.1.1): remove or encode it.");
            }
        }
    }

    /// Returns the text with a question mark for each character that a log should not show.
    private static String printable(String text) {
        StringBuilder printable = new StringBuilder(text);
        for (int i = 0; i < printable.length(); i++) {
            if (!CookieText.attribute(printable.charAt(i))) {
                printable.setCharAt(i, '?');
            }
        }
        return printable.toString();
    }
}
