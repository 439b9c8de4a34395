package dev.serval.admin;

import dev.serval.app.AppExchange;
import dev.serval.app.HttpException;
import dev.serval.http.Method;
import dev.serval.settings.AdminChoice;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Refuses requests that do not come from the administrator: without the password, by the page of
/// another site in a browser, or by a name that somebody else has pointed to this machine. Immutable.
final class AdminGuard {
    private static final String USER = "admin:";
    private static final String METRICS_USER = "metrics:";

    /// What the user `metrics` may read.
    private static final String METRICS_PATH = "/metrics";

    private static final Set<Method> READS = Set.of(Method.GET, Method.HEAD);
    private static final String BASIC = "basic ";
    private static final Set<String> OWN_SITES = Set.of("same-origin", "none");
    private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

    private final byte @Nullable [] credentials; // what BASIC has to encode; null for a socket
    private final byte @Nullable [] metricsCredentials; // likewise; null without such a user

    /// Creates a guard.
    ///
    /// @param choice has the passwords; that of `admin` is null if only the user of the server can
    ///     connect
    AdminGuard(AdminChoice choice) {
        this.credentials = credentials(USER, choice.password());
        this.metricsCredentials = credentials(METRICS_USER, choice.metricsPassword());
    }

    private static byte @Nullable [] credentials(String user, @Nullable String password) {
        return password == null ? null : (user + password).getBytes(StandardCharsets.UTF_8);
    }

    /// Checks a request.
    ///
    /// @return false if it was answered, with the question for the password
    /// @throws HttpException if it is refused
    boolean admits(AppExchange x) {
        if (x.connection().local() instanceof InetSocketAddress) {
            checkName(x);
        }
        checkOrigin(x);
        if (credentials != null && !isKnown(x)) {
            x.status(401)
                    .field(
                            "WWW-Authenticate",
                            "Basic realm=\"Serval administration\", charset=\"UTF-8\"")
                    .text("Log in as admin with the password of the file.\n");
            return false;
        }
        return true;
    }

    /// A page of another site could have its own name resolve to this machine.
    private static void checkName(AppExchange x) {
        @Nullable String host = x.field("Host");
        String name = host == null ? "" : host.replaceFirst(":\\d*$", "").toLowerCase(Locale.ROOT);
        if (!NAMES.contains(name)) {
            throw new HttpException(
                    421, "Administration answers only to localhost, 127.0.0.1 and [::1].");
        }
    }

    /// A browser says which site a request comes from (Fetch Metadata, RFC 6454).
    private static void checkOrigin(AppExchange x) {
        @Nullable String site = x.field("Sec-Fetch-Site");
        @Nullable String origin = x.field("Origin");
        boolean foreign =
                (site != null && !OWN_SITES.contains(site))
                        || (origin != null && !origin.equals("http://" + x.field("Host")));
        if (foreign) {
            throw new HttpException(403, "Pages of other sites may not administer this server.");
        }
    }

    private boolean isKnown(AppExchange x) {
        @Nullable String authorization = x.field("Authorization");
        return sends(authorization, credentials)
                || (METRICS_PATH.equals(x.path())
                        && READS.contains(x.method())
                        && sends(authorization, metricsCredentials));
    }

    private static boolean sends(@Nullable String authorization, byte @Nullable [] expected) {
        if (authorization == null
                || expected == null
                || !authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
            return false;
        }
        try {
            byte[] given =
                    Base64.getDecoder().decode(authorization.substring(BASIC.length()).trim());
            return MessageDigest.isEqual(given, expected); // takes the same time for any text
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
