package dev.serval.gateway.proxy;

import dev.serval.exchange.EngineExchange;
import dev.serval.gateway.peer.Upstream;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What a mount changes in the fields of answers: URLs and cookies of the upstream, and the cookie
/// that binds the client to it. Immutable; any thread.
final class AnswerChanges {
    private static final String URL = "url=";

    private final @Nullable StickyCookie sticky; // one that the proxy sets
    private final Rewriting redirects;
    private final UrlRewriter urls;
    private final @Nullable CookieRewriter cookies;

    private AnswerChanges(
            ProxyTarget target, List<Upstream> upstreams, @Nullable StickyCookie sticky) {
        this.sticky = sticky;
        this.redirects = target.redirects();
        this.urls =
                new UrlRewriter(
                        upstreams.stream().map(Upstream::name).toList(),
                        target.host(),
                        target.basePath());
        boolean changesCookies = !target.cookiePaths().isOff() || !target.cookieDomains().isOff();
        this.cookies =
                changesCookies
                        ? new CookieRewriter(target.cookiePaths(), target.cookieDomains(), urls)
                        : null;
    }

    /// Returns what a mount changes; null for nothing.
    ///
    /// @param sticky the cookie of the mount, or null
    static @Nullable AnswerChanges of(
            ProxyTarget target, List<Upstream> upstreams, @Nullable StickyCookie sticky) {
        @Nullable StickyCookie own = sticky != null && sticky.isOwn() ? sticky : null;
        AnswerChanges made = new AnswerChanges(target, upstreams, own);
        return own == null && made.redirects.isOff() && made.cookies == null ? null : made;
    }

    /// Returns the fields for the client.
    ///
    /// @param fields those of the upstream, without those of its connection
    /// @param upstream which has answered
    Fields apply(Fields fields, EngineExchange x, Upstream upstream) {
        Fields changed = concerns(fields) ? rewritten(fields, x) : fields;
        if (sticky != null && sticky.find(x.request().fields()) != upstream.index()) {
            String prefix = MountPath.of(x.route());
            String path = prefix.isEmpty() ? "/" : prefix;
            changed.add(
                    FieldName.SET_COOKIE,
                    sticky.setCookie(upstream.index(), path, x.connection().secure()));
        }
        return changed;
    }

    private boolean concerns(Fields fields) {
        boolean urlsToo =
                !redirects.isOff()
                        && (fields.contains(FieldName.LOCATION)
                                || fields.contains(FieldName.CONTENT_LOCATION)
                                || fields.first("Refresh") != null);
        return urlsToo || (cookies != null && fields.contains(FieldName.SET_COOKIE));
    }

    private Fields rewritten(Fields from, EngineExchange x) {
        String prefix = MountPath.of(x.route());
        String host = x.connection().authority(x.request());
        Fields to = new Fields();
        for (int i = 0; i < from.size(); i++) {
            @Nullable String value = changed(from, i, prefix, host);
            if (value == null) {
                to.add(from, i);
            } else {
                to.add(from.name(i), value);
            }
        }
        return to;
    }

    private @Nullable String changed(Fields from, int i, String prefix, String host) {
        @Nullable FieldName name = from.known(i);
        if (name == FieldName.SET_COOKIE) {
            return cookies == null ? null : cookies.cookie(from.value(i), prefix, host);
        }
        if (redirects.isOff()) {
            return null;
        }
        if (name == FieldName.LOCATION || name == FieldName.CONTENT_LOCATION) {
            return url(from.value(i), prefix, host);
        }
        return from.name(i).equalsIgnoreCase("Refresh")
                ? refresh(from.value(i), prefix, host)
                : null;
    }

    private @Nullable String url(String value, String prefix, String host) {
        for (Rewriting.Pair pair : redirects.pairs()) {
            if (value.startsWith(pair.from())) {
                String url = pair.to() + value.substring(pair.from().length());
                return pair.to().startsWith("//") ? url : UrlRewriter.withOneSlash(url);
            }
        }
        return redirects.usual() ? urls.url(value, prefix, host) : null;
    }

    /// Changes the URL in a value such as `5; url=/there`. The field has no standard but that of HTML
    /// for its own form of it.
    private @Nullable String refresh(String value, String prefix, String host) {
        int found = value.toLowerCase(Locale.ROOT).indexOf(URL);
        if (found < 0) {
            return null;
        }
        int from = found + URL.length();
        int to = value.length();
        boolean quoted =
                to - from >= 2
                        && "'\"".indexOf(value.charAt(from)) >= 0
                        && value.charAt(to - 1) == value.charAt(from);
        if (quoted) {
            from++;
            to--;
        }
        @Nullable String url = url(value.substring(from, to), prefix, host);
        return url == null ? null : value.substring(0, from) + url + value.substring(to);
    }
}
