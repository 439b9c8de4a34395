package dev.serval.app;

import dev.serval.codec.ByteRules;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A cookie for the Set-Cookie field (RFC 6265 §4.1). Immutable; [#of] makes one that lasts until
/// the browser is closed, and the `with…` methods return changed copies.
///
/// @param name a token
/// @param value visible ASCII without comma, semicolon, backslash and double quote
/// @param path the browser sends the cookie with requests for this path and below
/// @param domain the browser sends the cookie to this host and its subdomains; null for only the
///     host that sets it
/// @param maxAge how long the browser keeps it; zero removes it, null keeps it until the browser is
///     closed
/// @param secure whether browsers send it over TLS only
/// @param httpOnly whether it is hidden from scripts
/// @param sameSite the requests from other sites that carry it
public record Cookie(
        String name,
        String value,
        String path,
        @Nullable String domain,
        @Nullable Duration maxAge,
        boolean secure,
        boolean httpOnly,
        SameSite sameSite) {
    /// The requests from other sites that carry a cookie (RFC 6265bis §5.2).
    public enum SameSite {
        /// No request.
        STRICT("Strict"),
        /// Requests that follow a link.
        LAX("Lax"),
        /// All requests; browsers require [Cookie#secure] with it.
        NONE("None");

        private final String text;

        SameSite(String text) {
            this.text = text;
        }
    }

    /// Checks the parts.
    ///
    /// @throws IllegalArgumentException if a part cannot be sent, or browsers would drop the cookie
    public Cookie {
        if (name.isEmpty() || !name.chars().allMatch(ByteRules::token)) {
            throw new IllegalArgumentException(
                    "The name of a cookie must be a token (RFC 6265 §4.1.1): letters, digits and"
                            + " !#$%&'*+-.^_`|~");
        }
        if (!value.chars().allMatch(Cookie::b)) {
            throw new IllegalArgumentException(
                    "The value of the cookie "
                            + name
                            + " has a character that cookies cannot carry (RFC 6265 §4.1.1): encode"
                            + " it first, with java.util.Base64 for example.");
        }
        if (!path.startsWith("/") || !path.chars().allMatch(Cookie::attribute)) {
            throw new IllegalArgumentException(
                    "The path of the cookie "
                            + name
                            + " must begin with a slash and have no semicolon or control"
                            + " character.");
        }
        if (domain != null && (domain.isEmpty() || !domain.chars().allMatch(Cookie::host))) {
            throw new IllegalArgumentException(
                    "The domain of the cookie "
                            + name
                            + " must be a host name, such as example.org.");
        }
        if (maxAge != null && maxAge.isNegative()) {
            throw new IllegalArgumentException(
                    "The cookie " + name + " must not have a negative time to live: " + maxAge);
        }
        checkForBrowsers(name, path, domain, secure, sameSite);
    }

    /// Returns a cookie for the whole host. It is hidden from scripts, sent from other sites only
    /// with links, and kept until the browser is closed.
    public static Cookie of(String name, String value) {
        boolean secure = name.startsWith("__Host-") || name.startsWith("__Secure-");
        return new Cookie(name, value, "/", null, null, secure, true, SameSite.LAX);
    }

    /// Returns the cookie that makes browsers forget the cookie with that name. Path and domain
    /// must equal those of the cookie to remove.
    public static Cookie removal(String name) {
        return of(name, "").withMaxAge(Duration.ZERO);
    }

    /// Returns a copy with another path.
    public Cookie withPath(String other) {
        return new Cookie(name, value, other, domain, maxAge, secure, httpOnly, sameSite);
    }

    /// Returns a copy with another domain; null for only the host that sets it.
    public Cookie withDomain(@Nullable String other) {
        return new Cookie(name, value, path, other, maxAge, secure, httpOnly, sameSite);
    }

    /// Returns a copy with another time to live; null keeps it until the browser is closed.
    public Cookie withMaxAge(@Nullable Duration other) {
        return new Cookie(name, value, path, domain, other, secure, httpOnly, sameSite);
    }

    /// Returns a copy that browsers send over TLS only, or not.
    public Cookie withSecure(boolean other) {
        return new Cookie(name, value, path, domain, maxAge, other, httpOnly, sameSite);
    }

    /// Returns a copy that is hidden from scripts, or not.
    public Cookie withHttpOnly(boolean other) {
        return new Cookie(name, value, path, domain, maxAge, secure, other, sameSite);
    }

    /// Returns a copy with another rule for requests from other sites.
    public Cookie withSameSite(SameSite other) {
        return new Cookie(name, value, path, domain, maxAge, secure, httpOnly, other);
    }

    /// Returns the value of the Set-Cookie field.
    String text() {
        StringBuilder text = new StringBuilder(name.length() + value.length() + 64);
        text.append(name).append('=').append(value).append("; Path=").append(path);
        if (domain != null) {
            text.append("; Domain=").append(domain);
        }
        if (maxAge != null) {
            text.append("; Max-Age=").append(maxAge.toSeconds());
        }
        if (secure) {
            text.append("; Secure");
        }
        if (httpOnly) {
            text.append("; HttpOnly");
        }
        return text.append("; SameSite=").append(sameSite.text).toString();
    }

    /// Refuses cookies that browsers would drop silently.
    private static void checkForBrowsers(
            String name, String path, @Nullable String domain, boolean secure, SameSite sameSite) {
        if (!secure && (sameSite == SameSite.NONE || name.startsWith("__Secure-"))) {
            throw new IllegalArgumentException(
                    "Browsers drop the cookie "
                            + name
                            + " unless it is secure (RFC 6265bis §5.6): call withSecure(true).");
        }
        if (name.startsWith("__Host-") && (!secure || domain != null || !path.equals("/"))) {
            throw new IllegalArgumentException(
                    "Browsers drop the cookie "
                            + name
                            + " unless it is secure, has the path / and no domain (RFC 6265bis"
                            + " §4.1.3.2).");
        }
    }

    /// cookie-octet (§4.1.1).
    private static boolean b(int c) {
        return c > ' ' && c < 0x7f && c != '"' && c != ',' && c != ';' && c != '\\';
    }

    /// av-octet (§4.1.1).
    private static boolean attribute(int c) {
        return c >= ' ' && c < 0x7f && c != ';';
    }

    private static boolean host(int c) {
        boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
        return letter || (c >= '0' && c <= '9') || c == '.' || c == '-';
    }
}
