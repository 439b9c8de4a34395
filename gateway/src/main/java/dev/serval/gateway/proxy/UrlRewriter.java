package dev.serval.gateway.proxy;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Changes URLs and paths of an upstream to those of the mount, for one mount. Immutable; any thread.
///
/// ```text
/// upstream http://10.0.0.1:9000/base, mount /app
///   http://10.0.0.1:9000/base/x  ──▶  /app/x
///   /base/x                      ──▶  /app/x
///   https://elsewhere/base/x           stays
/// ```
final class UrlRewriter {
    /// The usual ports of http and https.
    private static final List<String> USUAL_PORTS = List.of(":80", ":443");

    private final Set<String> authorities; // of upstreams, in lower case
    private final @Nullable String base; // null if paths are the same on both sides

    /// Creates a rewriter.
    ///
    /// @param names the upstreams as the settings write them: `HOST:PORT` or `HOST`
    /// @param host the Host that upstreams get, or null
    /// @param base the path that replaces the mount's prefix, or null
    UrlRewriter(List<String> names, @Nullable String host, @Nullable String base) {
        this.authorities = new HashSet<>();
        for (String name : names) {
            add(name);
        }
        if (host != null) {
            add(host);
        }
        this.base = base;
    }

    private void add(String authority) {
        String lower = authority.toLowerCase(Locale.ROOT);
        authorities.add(lower);
        for (String port : USUAL_PORTS) {
            if (lower.endsWith(port)) {
                authorities.add(lower.substring(0, lower.length() - port.length()));
            }
        }
    }

    /// Returns whether an upstream has this host name.
    ///
    /// @param host in lower case, without a port
    boolean isHost(String host) {
        for (String authority : authorities) {
            if (hostOf(authority).equals(host)) {
                return true;
            }
        }
        return false;
    }

    /// Returns a host and port without the port.
    static String hostOf(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon < 0 || authority.indexOf(']', colon) >= 0
                ? authority
                : authority.substring(0, colon);
    }

    /// Returns the URL for the client; null if it stays as it is.
    ///
    /// @param prefix of the mount, percent-encoded; empty for the root
    /// @param clientsHost what the client named in Host
    @Nullable String url(String url, String prefix, String clientsHost) {
        int authorityAt = authorityAt(url);
        if (authorityAt < 0) {
            @Nullable String path = url.startsWith("/") ? path(url, prefix) : null;
            return path == null || path.equals(url) ? null : withOneSlash(path);
        }
        int pathAt = authorityAt;
        while (pathAt < url.length() && "/?#".indexOf(url.charAt(pathAt)) < 0) {
            pathAt++;
        }
        String authority = url.substring(authorityAt, pathAt).toLowerCase(Locale.ROOT);
        boolean isClients = authority.equals(clientsHost.toLowerCase(Locale.ROOT));
        if (!isClients && !authorities.contains(authority)) {
            return null;
        }
        @Nullable String path = path(url.substring(pathAt), prefix);
        if (path == null) {
            return null;
        }
        String moved = isClients ? url.substring(0, pathAt) + path : withOneSlash(path);
        return moved.equals(url) ? null : moved;
    }

    /// Returns the path for the client, with what follows it; null if it is not below the base path.
    @Nullable String path(String path, String prefix) {
        @Nullable String from = base;
        if (from == null) {
            return path.startsWith("/") ? path : "/" + path;
        }
        boolean below =
                path.startsWith(from)
                        && (path.length() == from.length()
                                || from.isEmpty()
                                || "/?#".indexOf(path.charAt(from.length())) >= 0);
        if (!below) {
            return null;
        }
        String moved = prefix + path.substring(from.length());
        return moved.startsWith("/") ? moved : "/" + moved;
    }

    /// Returns where the authority of a URL with the scheme http or https, or without a scheme,
    /// begins; -1 for any other text.
    private static int authorityAt(String url) {
        if (url.startsWith("//")) {
            return 2;
        }
        if (url.regionMatches(true, 0, "http://", 0, 7)) {
            return 7;
        }
        return url.regionMatches(true, 0, "https://", 0, 8) ? 8 : -1;
    }

    /// Returns a path that no client takes for the name of another host (`//host`), although what
    /// was before it was removed. Browsers read a backslash as a slash, and skip tabs.
    static String withOneSlash(String path) {
        int at = 0;
        while (at < path.length() && "/\\\t".indexOf(path.charAt(at)) >= 0) {
            at++;
        }
        return at == 0 ? path : "/" + path.substring(at);
    }
}
