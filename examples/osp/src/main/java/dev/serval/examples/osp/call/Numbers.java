package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.Element;
import org.jspecify.annotations.Nullable;

/// Telephone numbers of a message, in the form of the route table: digits without signs.
final class Numbers {
    private static final int DIGITS_MAX = 32;
    private static final int TEXT_MAX_CHARS = 256;

    private Numbers() {}

    /// Returns the number of an element; empty if it is an address of another kind, such as a URL,
    /// for which only the routes of every number apply. A number is read as one whatever known type
    /// it has, so that no type leads around the prefixes of the route table.
    ///
    /// @return null if it is not a number, or its type is unknown
    static @Nullable String of(Element element) {
        String text = element.text();
        if (text.length() > TEXT_MAX_CHARS) {
            return null;
        }
        String digits = digits(text);
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
