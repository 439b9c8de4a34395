package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.Element;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Telephone numbers of a message, in the form of the route table: digits without signs.
final class Numbers {
    private static final int DIGITS_MAX = 32;
    private static final int TEXT_MAX_CHARS = 256;

    /// A URI, also in angle brackets after a name, and also without its scheme.
    private static final Pattern URI =
            Pattern.compile(
                    "(?:[^<]*<)?\\s*(?:(?<scheme>sips?|tel):)?(?:(?<user>[^@]*)@.*|(?<rest>[^@>]*)>?.*)",
                    Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /// What ends the number: parameters, a password or port, or a question mark.
    private static final Pattern END_OF_USER = Pattern.compile("[;:?>]");

    private Numbers() {}

    /// Returns the number of an element; empty if it is an address of another kind, such as a URL,
    /// for which only the routes of every number apply. A number is read as one whatever known type
    /// it has, and also in a `sip:` or `tel:` URI, even without the scheme, so that no form leads
    /// around the prefixes of the route table.
    ///
    /// @return null if it is not a number, or its type is unknown
    static @Nullable String of(Element element) {
        String text = element.text();
        if (text.length() > TEXT_MAX_CHARS) {
            return null;
        }
        String user = user(text);
        String digits = user == null ? null : digits(user);
        return switch (element.type()) {
            case "",
                    "e164",
                    "international",
                    "national",
                    "network",
                    "subscriber",
                    "abbreviated",
                    "e164prefix",
                    "routingnumber" ->
                    digits;
            case "h323", "url", "email", "transport", "sip", "xmpp", "q850", "deviceId", "cic" ->
                    digits == null ? "" : digits;
            default -> null;
        };
    }

    /// Returns whether a text has from 1 to `max` decimal digits and nothing else.
    static boolean isDigits(String text, int max) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= max;
    }

    /// Returns the part of a `sip:`, `sips:` or `tel:` URI that may be a number, decoded and without
    /// parameters (RFC 3261 §19.1, RFC 3966 §3); any other text without brackets; null if the URI has only a
    /// host or a malformed encoding.
    private static @Nullable String user(String text) {
        Matcher uri = URI.matcher(text);
        if (!uri.matches()) {
            return text;
        }
        String user = uri.group("user");
        if (user == null) {
            String rest = Objects.requireNonNull(uri.group("rest"));
            String scheme = uri.group("scheme");
            if (scheme == null) {
                return rest;
            }
            boolean host = !scheme.equalsIgnoreCase("tel") && rest.indexOf('.') >= 0;
            user = host ? null : rest;
        }
        return user == null ? null : decoded(END_OF_USER.split(user, 2)[0]);
    }

    private static @Nullable String decoded(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static @Nullable String digits(String text) {
        StringBuilder digits = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c >= '0' && c <= '9') || c == '*' || c == '#') {
                digits.append(c);
            } else if ("-. ()".indexOf(c) < 0 && !(c == '+' && i == 0)) {
                return null;
            }
        }
        return digits.length() > DIGITS_MAX ? null : digits.toString();
    }
}
