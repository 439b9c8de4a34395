package dev.serval.gateway.proxy;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// What a proxy mount forwards to its upstreams. Immutable.
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
public record ProxyTarget(
        @Nullable String basePath,
        @Nullable String host,
        boolean trustsClient,
        int interimsMax,
        long interimNanos,
        long tunnelIdleNanos) {
    /// Keeps path and host, trusts no client, and ends an idle upgraded connection after 10 min.
    public static final ProxyTarget DEFAULT =
            new ProxyTarget(
                    null,
                    null,
                    false,
                    16,
                    TimeUnit.MINUTES.toNanos(10),
                    TimeUnit.MINUTES.toNanos(10));

    /// Checks the values.
    public ProxyTarget {
        if (basePath != null && !basePath.isEmpty() && !basePath.matches("(/[!-.0-~]+)+")) {
            throw new IllegalArgumentException(
                    "The path of an upstream is /name without a slash at its end, not \""
                            + basePath
                            + "\"");
        }
        if (host != null && !host.matches("[A-Za-z0-9._~\\[\\]:-]{1,255}")) {
            throw new IllegalArgumentException(
                    "The host for an upstream is a name with or without a port, not \""
                            + host
                            + "\"");
        }
        if (interimsMax < 0 || interimNanos < 1) {
            throw new IllegalArgumentException(
                    "Interim responses need a number of 0 or more and a time");
        }
        if (tunnelIdleNanos < 1) {
            throw new IllegalArgumentException("An upgraded connection needs an idle time");
        }
    }
}
