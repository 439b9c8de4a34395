package dev.serval.servlet.cookie;

/// Tests characters for the classes of RFC 6265 §4.1.1. Stateless.
final class CookieText {
    private CookieText() {}

    /// Returns whether `c` is a cookie-octet: visible ASCII without comma, semicolon, backslash and
    /// double quote.
    static boolean value(int c) {
        return c > ' ' && c < 0x7f && c != '"' && c != ',' && c != ';' && c != '\\';
    }

    /// Returns whether `c` is an av-octet: ASCII without control characters and semicolon.
    static boolean attribute(int c) {
        return c >= ' ' && c < 0x7f && c != ';';
    }

    /// Returns whether `c` may be in a host name.
    static boolean host(int c) {
        int lower = c | 0x20;
        return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
    }
}
