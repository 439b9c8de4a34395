package dev.serval.servlet.webxml;

/// Says which names and values a cookie may have (RFC 6265 §4.1.1).
final class CookieSyntax {
    private static final String SEPARATORS = "()<>@,;:\\\"/[]?={}";

    private CookieSyntax() {}

    /// Returns whether a cookie may have an attribute with that value. The attribute `name` stands
    /// for the cookie's own name.
    static boolean isAllowed(String attribute, String value) {
        return attribute.equals("name")
                ? isToken(value)
                : isToken(attribute) && isAttributeValue(value);
    }

    private static boolean isToken(String text) {
        return !text.isEmpty()
                && text.chars().allMatch(c -> c > ' ' && c < 0x7f && SEPARATORS.indexOf(c) < 0);
    }

    private static boolean isAttributeValue(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != ';');
    }
}
