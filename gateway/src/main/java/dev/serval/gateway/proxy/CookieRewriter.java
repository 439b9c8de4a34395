package dev.serval.gateway.proxy;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Changes the attributes Path and Domain of Set-Cookie (RFC 6265 §4.1.2), for one mount. All other
/// bytes stay as they are. Immutable; any thread.
final class CookieRewriter {
    private static final String PATH = "path";
    private static final String DOMAIN = "domain";

    private final Rewriting paths;
    private final Rewriting domains;
    private final UrlRewriter urls;

    CookieRewriter(Rewriting paths, Rewriting domains, UrlRewriter urls) {
        this.paths = paths;
        this.domains = domains;
        this.urls = urls;
    }

    /// Returns the cookie for the client; null if it stays as it is.
    ///
    /// @param prefix of the mount, percent-encoded; empty for the root
    /// @param clientsHost what the client named in Host
    @Nullable String cookie(String cookie, String prefix, String clientsHost) {
        StringBuilder out = new StringBuilder();
        boolean changed = false;
        int at = end(cookie, 0);
        out.append(cookie, 0, at);
        while (at < cookie.length()) {
            int end = end(cookie, at + 1);
            @Nullable String attribute = attribute(cookie.substring(at, end), prefix, clientsHost);
            changed |= attribute != null;
            out.append(attribute != null ? attribute : cookie.substring(at, end));
            at = end;
        }
        return changed ? out.toString() : null;
    }

    private static int end(String cookie, int from) {
        int semicolon = cookie.indexOf(';', from);
        return semicolon < 0 ? cookie.length() : semicolon;
    }

    /// Returns an attribute with its semicolon, empty to remove it; null if it stays.
    private @Nullable String attribute(String text, String prefix, String clientsHost) {
        int equals = text.indexOf('=');
        if (equals < 0) {
            return null;
        }
        String name = text.substring(1, equals).strip().toLowerCase(Locale.ROOT);
        String value = text.substring(equals + 1).strip();
        @Nullable String next =
                switch (name) {
                    case PATH -> path(value, prefix);
                    case DOMAIN -> domain(value, clientsHost);
                    default -> value;
                };
        if (next == null || next.equals(value)) {
            return null;
        }
        return next.isEmpty() && name.equals(DOMAIN) ? "" : text.substring(0, equals + 1) + next;
    }

    private @Nullable String path(String value, String prefix) {
        for (Rewriting.Pair pair : paths.pairs()) {
            if (value.startsWith(pair.from())) {
                return pair.to() + value.substring(pair.from().length());
            }
        }
        if (!paths.usual() || !value.startsWith("/")) {
            return null;
        }
        @Nullable String moved = urls.path(value, prefix);
        // The path /app/ would not hold for /app itself.
        return value.equals("/") && moved != null && !prefix.isEmpty() ? prefix : moved;
    }

    private @Nullable String domain(String value, String clientsHost) {
        String domain = bare(value);
        for (Rewriting.Pair pair : domains.pairs()) {
            if (domain.equals(bare(pair.from()))) {
                return pair.to();
            }
        }
        boolean removes =
                domains.usual()
                        && urls.isHost(domain)
                        && !domain.equals(UrlRewriter.hostOf(bare(clientsHost)));
        return removes ? "" : null;
    }

    private static String bare(String domain) {
        String lower = domain.toLowerCase(Locale.ROOT);
        return lower.startsWith(".") ? lower.substring(1) : lower;
    }
}
