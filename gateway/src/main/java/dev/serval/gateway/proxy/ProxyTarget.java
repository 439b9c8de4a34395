package dev.serval.gateway.proxy;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a proxy mount forwards to its upstreams, and what it changes in their answers. Immutable;
/// [#with] returns a changed copy.
///
/// @param basePath replaces the mount's prefix in the path: empty, or `/name[/name…]`,
///     percent-encoded; null to keep the whole path
/// @param host the value of Host for the upstream; null to keep the client's
/// @param trustsClient whether Forwarded and X-Forwarded-* of the client are kept and extended. If
///     not, they are replaced
/// @param interimsMax interim responses to one request; one more is answered with 502
/// @param interimNanos how long they may put off the head of the final answer: each begins the time
///     for an answer anew, but not past this time after the request was sent
/// @param tunnelIdleNanos how long an upgraded connection may be without bytes
/// @param stickiness how the requests of a session stay with one upstream; null for not at all
/// @param redirects changes of Location, Content-Location and Refresh in answers
/// @param cookiePaths changes of the paths of cookies in answers
/// @param cookieDomains changes of the domains of cookies in answers; an empty one is removed
/// @param fields fields of requests that are set or removed
/// @param sendRoot the folder whose files an upstream may name by X-Accel-Redirect and X-Sendfile in
///     place of its content; null for none
/// @param chunked whether the upstreams take content in chunks. If not, content of unknown length is
///     collected for its length
public record ProxyTarget(
        @Nullable String basePath,
        @Nullable String host,
        boolean trustsClient,
        int interimsMax,
        long interimNanos,
        long tunnelIdleNanos,
        @Nullable Stickiness stickiness,
        Rewriting redirects,
        Rewriting cookiePaths,
        Rewriting cookieDomains,
        List<FieldSetting> fields,
        @Nullable Path sendRoot,
        boolean chunked) {
    /// Keeps path and host, trusts no client, ends an idle upgraded connection after 10 min, and
    /// changes no answer.
    public static final ProxyTarget DEFAULT = new Draft().build();

    /// Segments of RFC 3986 §3.3 that are not empty and no dot segments, also not as %2e.
    private static final Pattern BASE_PATH =
            Pattern.compile(
                    "(/(?!(\\.|%2[eE]){1,2}(/|$))([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+");

    /// Checks the values.
    public ProxyTarget {
        checkBasePath(basePath);
        checkHost(host);
        if (interimsMax < 0 || interimNanos < 1) {
            throw new IllegalArgumentException(
                    "Interim responses need a number of 0 or more and a time");
        }
        if (tunnelIdleNanos < 1) {
            throw new IllegalArgumentException("An upgraded connection needs an idle time");
        }
        fields = List.copyOf(fields);
    }

    /// Checks a base path.
    ///
    /// @throws IllegalArgumentException if it is not as [#basePath] says
    public static void checkBasePath(@Nullable String path) {
        if (path != null && !path.isEmpty() && !BASE_PATH.matcher(path).matches()) {
            throw new IllegalArgumentException(
                    "The path of an upstream is /name without a slash at its end, ?, # and the segments"
                            + " . and .., with other characters as %20, not \""
                            + path
                            + "\"");
        }
    }

    /// Checks a host.
    ///
    /// @throws IllegalArgumentException if it is not a name with or without a port
    public static void checkHost(@Nullable String host) {
        if (host != null && !host.matches("[A-Za-z0-9._~\\[\\]:-]{1,255}")) {
            throw new IllegalArgumentException(
                    "The host for an upstream is a name with or without a port, not \""
                            + host
                            + "\"");
        }
    }

    /// Returns a copy in which `change` has set some values, such as
    /// `target.with(draft -> draft.host = "app.example")`.
    public ProxyTarget with(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.basePath = basePath;
        draft.host = host;
        draft.trustsClient = trustsClient;
        draft.interimsMax = interimsMax;
        draft.interimNanos = interimNanos;
        draft.tunnelIdleNanos = tunnelIdleNanos;
        draft.stickiness = stickiness;
        draft.redirects = redirects;
        draft.cookiePaths = cookiePaths;
        draft.cookieDomains = cookieDomains;
        draft.fields = fields;
        draft.sendRoot = sendRoot;
        draft.chunked = chunked;
        change.accept(draft);
        return draft.build();
    }

    /// A target while it is chosen, at first [#DEFAULT]. Used by one thread, within [#with].
    public static final class Draft {
        public @Nullable String basePath;
        public @Nullable String host;
        public boolean trustsClient;
        public int interimsMax = 16;
        public long interimNanos = TimeUnit.MINUTES.toNanos(10);
        public long tunnelIdleNanos = TimeUnit.MINUTES.toNanos(10);
        public @Nullable Stickiness stickiness;
        public Rewriting redirects = Rewriting.OFF;
        public Rewriting cookiePaths = Rewriting.OFF;
        public Rewriting cookieDomains = Rewriting.OFF;
        public List<FieldSetting> fields = List.of();
        public @Nullable Path sendRoot;
        public boolean chunked = true;

        private Draft() {}

        private ProxyTarget build() {
            return new ProxyTarget(
                    basePath,
                    host,
                    trustsClient,
                    interimsMax,
                    interimNanos,
                    tunnelIdleNanos,
                    stickiness,
                    redirects,
                    cookiePaths,
                    cookieDomains,
                    fields,
                    sendRoot,
                    chunked);
        }
    }
}
