package dev.serval.servlet.session;

import dev.serval.servlet.descriptor.CookieDescription;
import dev.serval.servlet.map.NormalPath;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Writes a session's id into URLs and reads it from them, as a path parameter (Servlet 6.1
/// §7.1.3). Only URLs of the same application receive the id. Immutable.
public final class SessionUrl {
    /// The parameter unless the application declares another name of the cookie.
    private static final String PARAMETER = "jsessionid";

    private final String marker; // ";name="
    private final String contextPath; // decoded

    /// The request whose response contains the URLs.
    ///
    /// @param scheme the scheme, such as `https`
    /// @param host the host without port
    /// @param port the port
    /// @param path the path as the client sent it, without path parameters of its last segment
    /// @param query the query without `?`; null if there is none
    public record RequestUrl(
            String scheme, String host, int port, String path, @Nullable String query) {}

    /// Creates the writer and reader for an application.
    ///
    /// @param cookieName the name of the session cookie, which the parameter shares if it is not
    ///     `JSESSIONID` (Servlet 6.1 §7.1.1)
    /// @param contextPath the path of the application, percent-encoded; empty for the root context
    public SessionUrl(String cookieName, String contextPath) {
        String name = cookieName.equals(CookieDescription.NAME) ? PARAMETER : cookieName;
        this.marker = ";" + name + "=";
        this.contextPath =
                contextPath.isEmpty() ? "" : Objects.requireNonNull(NormalPath.normal(contextPath));
    }

    /// Returns the id in a request's path, or null. If several parameters have the name, the last
    /// counts, because [#encode] appends to the end.
    ///
    /// @param path the path as the client sent it, without query
    public @Nullable String idOf(String path) {
        int at = path.lastIndexOf(marker);
        if (at < 0) {
            return null;
        }
        int start = at + marker.length();
        int end = endOfId(path, start);
        return end == start ? null : path.substring(start, end);
    }

    /// Returns a path without the parameters that [#idOf] reads.
    ///
    /// @param path the path as the client sent it, without query
    public String withoutId(String path) {
        int at = path.indexOf(marker);
        if (at < 0) {
            return path;
        }
        StringBuilder rest = new StringBuilder();
        int from = 0;
        while (at >= 0) {
            rest.append(path, from, at);
            from = endOfId(path, at + marker.length());
            at = path.indexOf(marker, from);
        }
        return rest.append(path, from, path.length()).toString();
    }

    private static int endOfId(String path, int start) {
        int end = start;
        while (end < path.length() && path.charAt(end) != ';' && path.charAt(end) != '/') {
            end++;
        }
        return end;
    }

    /// Returns `url` with the id before its query and fragment. A URL that leads out of the
    /// application, to a fragment of the same page, or that carries this id already, is returned
    /// unchanged.
    ///
    /// @param url absolute, or relative to `base`
    /// @param base what the client asked for
    public String encode(String url, String id, RequestUrl base) {
        int pathEnd = endOfPath(url);
        if (url.startsWith("#") || !isPlain(url, pathEnd)) {
            return url;
        }
        int pathStart = startOfPath(url, pathEnd, base);
        if (pathStart < 0) {
            return url;
        }
        String path = url.substring(pathStart, pathEnd);
        String prefix = url.substring(0, pathStart);
        String suffix = url.substring(pathEnd);
        if (path.isEmpty() && pathStart > 0) {
            path = "/"; // an authority without a path (RFC 3986 §6.2.3)
        } else if (path.isEmpty()) {
            // The same document (RFC 3986 §5.2.2); a parameter cannot be first in a relative URL.
            path = base.path();
            suffix = suffix.isEmpty() && base.query() != null ? "?" + base.query() : suffix;
        }
        boolean isOtherHost = pathStart == 0 && path.startsWith("//"); // by the path of the request
        // Decoded, because the client may have encoded the context path in another way.
        @Nullable String target = NormalPath.normal(resolved(path, base.path()));
        if (isOtherHost || !isInContext(target) || id.equals(idOf(path))) {
            return url;
        }
        // The server finds an application by its path without parameters.
        String slash = contextPath.equals(target) && path.indexOf(';') < 0 ? "/" : "";
        return prefix + path + slash + marker + id + suffix;
    }

    private static int endOfPath(String url) {
        for (int i = 0; i < url.length(); i++) {
            if (url.charAt(i) == '?' || url.charAt(i) == '#') {
                return i;
            }
        }
        return url.length();
    }

    /// Browsers read a backslash as a slash and drop some control characters. So a URL with them
    /// may lead to another host than it seems to.
    private static boolean isPlain(String url, int end) {
        for (int i = 0; i < end; i++) {
            char c = url.charAt(i);
            if (c <= ' ' || c == '\\' || c == 0x7F) {
                return false;
            }
        }
        return true;
    }

    /// Returns where the path starts, or -1 if the URL leads to another server or has no hierarchy.
    private static int startOfPath(String url, int end, RequestUrl base) {
        int colon = schemeEnd(url, end);
        if (colon >= 0 && !url.substring(0, colon).equalsIgnoreCase(base.scheme())) {
            return -1;
        }
        int start = colon + 1;
        if (!url.startsWith("//", start)) {
            return colon >= 0 ? -1 : 0;
        }
        int slash = url.indexOf('/', start + 2);
        int authorityEnd = slash >= 0 && slash < end ? slash : end;
        String authority = url.substring(start + 2, authorityEnd);
        return isServer(authority, base) ? authorityEnd : -1;
    }

    /// Returns the index of the colon after a scheme (RFC 3986 §3.1), or -1.
    private static int schemeEnd(String url, int end) {
        for (int i = 0; i < end; i++) {
            char c = url.charAt(i);
            if (c == ':') {
                return i;
            }
            if (c == '/' || c == ';') {
                return -1;
            }
        }
        return -1;
    }

    private static boolean isServer(String authority, RequestUrl base) {
        int bracket = authority.lastIndexOf(']'); // the colons before belong to IPv6
        int colon = authority.indexOf(':', bracket + 1);
        String host = colon < 0 ? authority : authority.substring(0, colon);
        String port = colon < 0 ? "" : authority.substring(colon + 1);
        String expected = Integer.toString(base.port());
        String actual = port.isEmpty() ? standardPort(base.scheme()) : port;
        return host.equalsIgnoreCase(base.host()) && actual.equals(expected);
    }

    private static String standardPort(String scheme) {
        return scheme.equalsIgnoreCase("https") ? "443" : "80";
    }

    private boolean isInContext(@Nullable String path) {
        if (path == null || !path.startsWith(contextPath)) {
            return false; // null: the server refuses it
        }
        int end = contextPath.length();
        return path.length() == end || path.charAt(end) == '/';
    }

    /// Returns the path from the root, without dot segments (RFC 3986 §5.2.4).
    private static String resolved(String path, String basePath) {
        String whole =
                path.startsWith("/")
                        ? path
                        : basePath.substring(0, basePath.lastIndexOf('/') + 1) + path;
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : whole.split("/", -1)) {
            // Browsers read %2e as a dot (URL standard, "double-dot URL path segment").
            String plain = segment.toLowerCase(Locale.ROOT).replace("%2e", ".");
            if (plain.equals("..")) {
                if (segments.size() > 1) {
                    segments.removeLast();
                }
            } else if (!plain.equals(".")) {
                segments.addLast(segment);
            }
        }
        return String.join("/", segments);
    }
}
