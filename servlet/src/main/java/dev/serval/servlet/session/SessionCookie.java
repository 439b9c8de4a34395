package dev.serval.servlet.session;

import dev.serval.servlet.descriptor.CookieDescription;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The session cookie of an application, all but its value. Immutable.
///
/// @param name the name
/// @param path as declared, or the context path; `/` for the root context
/// @param domain as declared; null for only the host that sets the cookie
/// @param maxAgeSeconds as declared; negative to keep the cookie until the browser is closed
/// @param secure whether browsers send it over TLS only
/// @param httpOnly whether it is hidden from scripts; true unless declared
/// @param sameSite the requests from other sites that carry it; `Lax` unless declared
/// @param others further attributes as declared
public record SessionCookie(
        String name,
        String path,
        @Nullable String domain,
        int maxAgeSeconds,
        boolean secure,
        boolean httpOnly,
        String sameSite,
        Map<String, String> others) {
    private static final String SAME_SITE = "Lax";

    /// Copies the further attributes.
    public SessionCookie {
        others = Map.copyOf(others);
    }

    /// Returns the cookie that the application declares.
    ///
    /// @param contextPath the path of the application, percent-encoded; empty for the root context
    /// @throws IllegalArgumentException if Max-Age is not a number of seconds
    public static SessionCookie of(CookieDescription declared, String contextPath) {
        Map<String, String> rest = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        rest.putAll(declared.attributes());
        String path = taken(rest, "Path", contextPath);
        String domain = taken(rest, "Domain", "");
        String maxAge = taken(rest, "Max-Age", "-1");
        String secure = taken(rest, "Secure", "false");
        String httpOnly = taken(rest, "HttpOnly", "true");
        String sameSite = taken(rest, "SameSite", SAME_SITE);
        return new SessionCookie(
                declared.name(),
                path.isEmpty() ? "/" : path,
                domain.isEmpty() ? null : domain,
                seconds(maxAge),
                isOn(secure),
                isOn(httpOnly),
                sameSite.isEmpty() ? SAME_SITE : sameSite,
                rest);
    }

    /// Returns the cookie for a response. It is secure if declared so, or if the request is.
    public SessionCookie forRequest(boolean requestIsSecure) {
        return secure || !requestIsSecure
                ? this
                : new SessionCookie(
                        name, path, domain, maxAgeSeconds, true, httpOnly, sameSite, others);
    }

    private static String taken(Map<String, String> attributes, String name, String otherwise) {
        String value = attributes.remove(name);
        return value == null ? otherwise : value.strip();
    }

    /// An attribute without a value is on (Javadoc of Cookie.setAttribute).
    private static boolean isOn(String value) {
        return value.isEmpty() || value.toLowerCase(Locale.ROOT).equals("true");
    }

    private static int seconds(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "The Max-Age of the session cookie is not a number of seconds: "
                            + text
                            + "; correct it in session-config",
                    e);
        }
    }
}
