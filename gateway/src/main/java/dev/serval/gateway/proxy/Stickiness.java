package dev.serval.gateway.proxy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How the requests of a session stay with one upstream: by a cookie that names it. Immutable.
public sealed interface Stickiness {
    /// Returns the name of the cookie.
    String cookie();

    /// Checks the name of a cookie.
    ///
    /// @throws IllegalArgumentException if it is not a token
    static void checkCookie(String name) {
        if (!name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}")) {
            throw new IllegalArgumentException(
                    "The name of a cookie is a token of at most 64 characters (RFC 6265 §4.1.1),"
                            + " such as route, not \""
                            + name
                            + "\"");
        }
    }

    /// A cookie that the proxy sets. Its value is a keyed hash, which does not reveal the address.
    ///
    /// @param secret the key of the hash. With the same secret, servers and restarts know each
    ///     other's cookies; null for a random one of this process
    record OwnCookie(String cookie, @Nullable String secret) implements Stickiness {
        /// The least length of a secret, in characters.
        public static final int SECRET_MIN = 16;

        /// Checks the name and the secret.
        public OwnCookie {
            checkCookie(cookie);
            checkSecret(secret);
        }

        /// Checks a secret.
        ///
        /// @throws IllegalArgumentException if it is too short
        public static void checkSecret(@Nullable String secret) {
            if (secret != null && secret.length() < SECRET_MIN) {
                throw new IllegalArgumentException(
                        "The secret of a cookie has at least " + SECRET_MIN + " characters");
            }
        }

        /// Returns a text without the secret.
        @Override
        public String toString() {
            return "OwnCookie[" + cookie + "]";
        }
    }

    /// A cookie of the application whose value ends with a dot and the name of a route, as that of
    /// Tomcat with a `jvmRoute`.
    ///
    /// @param routes by upstream; null for one that has none
    record RouteOfApplication(String cookie, List<@Nullable String> routes) implements Stickiness {
        /// Checks the names.
        public RouteOfApplication {
            checkCookie(cookie);
            routes = Collections.unmodifiableList(new ArrayList<>(routes));
            HashSet<String> seen = new HashSet<>();
            for (@Nullable String route : routes) {
                if (route != null) {
                    checkRoute(route);
                    if (!seen.add(route)) {
                        throw new IllegalArgumentException(
                                "Two upstreams have the route \"" + route + "\"");
                    }
                }
            }
            if (seen.isEmpty()) {
                throw new IllegalArgumentException("No upstream has a route");
            }
        }

        /// Checks the name of a route.
        ///
        /// @throws IllegalArgumentException if an application could not append it to a session's id
        public static void checkRoute(String route) {
            if (!route.matches("[A-Za-z0-9_-]{1,64}")) {
                throw new IllegalArgumentException(
                        "A route has up to 64 letters, digits, \"-\" and \"_\", such as the jvmRoute"
                                + " of Tomcat, not \""
                                + route
                                + "\"");
            }
        }
    }
}
