package dev.serval.rule;

import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.PercentEncoding;
import dev.serval.http.Target;
import org.jspecify.annotations.Nullable;

/// Redirects one path, or all paths below it, to another address, and passes the other requests on.
///
/// The client can choose only what follows the address: the rest of the path, which has no empty
/// segments and is otherwise as it was sent ([SentPath]), and the query. It never chooses the host.
/// So a redirect does not lead to another site (`//evil.example`) unless the rule names that site.
public final class Redirect implements Handler {
    private static final String REST = "/*";
    private static final String ALL = "/**";

    /// A redirect. Immutable.
    ///
    /// @param from the path below the mount, decoded, such as `/old`; with `/*` at its end, all
    ///     paths below it, and the path itself. `/*` is the whole mount. `/**` is the same, but the
    ///     rest of the path is not appended
    /// @param to a path `/…`, or a URL `http://…` or `https://…`, encoded as the client gets it. With
    ///     `/*` in `from` it ends with a slash, and the rest of the path is appended. `$host` as the
    ///     host of a URL is the name in the request, without its port
    /// @param status 301, 302, 303, 307 or 308
    /// @param keepsQuery whether the query of the request is appended
    public record Rule(String from, String to, int status, boolean keepsQuery) {
        /// Checks the rule.
        public Rule {
            boolean rest = from.endsWith(REST);
            check(
                    from.startsWith("/")
                            && !from.contains("//")
                            && from.indexOf('*') == starAt(from),
                    "A redirect's path must begin with / and may end with /* or /**, but is \"",
                    from);
            Location.checkAddress(to);
            check(
                    !rest || to.endsWith("/"),
                    "A redirect of all paths below a path leads to an address with / at its end, so"
                            + " that the rest of the path can follow, but this one to \"",
                    to);
            Location.checkQuery(to, keepsQuery);
            Location.checkStatus(status);
        }

        private static int starAt(String from) {
            if (from.endsWith(ALL)) {
                return from.length() - 2;
            }
            return from.endsWith(REST) ? from.length() - 1 : -1;
        }

        private static void check(boolean right, String rule, String actual) {
            if (!right) {
                throw new IllegalArgumentException(rule + actual + "\"");
            }
        }
    }

    private final Rule rule;
    private final String from; // without the stars and their slash
    private final boolean below;
    private final boolean all;
    private final Location location;

    /// Creates the handler of a rule.
    public Redirect(Rule rule) {
        this.rule = rule;
        this.all = rule.from().endsWith(ALL);
        this.below = all || rule.from().endsWith(REST);
        this.from = below ? rule.from().substring(0, rule.from().lastIndexOf('/')) : rule.from();
        this.location = new Location(rule.status());
    }

    @Override
    public void handle(Exchange x) {
        String below = x.request().target().path().below(x.route().prefixLength());
        @Nullable String rest = rest(below.isEmpty() ? "/" : below);
        if (rest == null) {
            x.pass();
            return;
        }
        Target target = x.request().target();
        String to = rule.to() + sent(target, rest);
        location.send(x, rule.keepsQuery() ? Location.withQuery(to, target.query()) : to);
    }

    @Override
    public boolean takesOtherMethods() {
        return true;
    }

    /// Returns what follows the rule's path and its slash; empty if nothing does, and null if the
    /// path is another one.
    private @Nullable String rest(String path) {
        if (path.equals(from)) {
            return "";
        }
        if (!below || !path.startsWith(from + "/")) {
            return null;
        }
        return all ? "" : path.substring(from.length() + 1);
    }

    /// Returns the rest of a path as it was sent: `;` and `%3B` are different addresses.
    private static String sent(Target target, String rest) {
        if (rest.isEmpty() || target.path().isAsSent()) {
            return PercentEncoding.sentPath(rest);
        }
        String path = target.path().text();
        String before = path.substring(1, path.length() - rest.length());
        int segments = (int) before.chars().filter(c -> c == '/').count();
        return PercentEncoding.sentPath(SentPath.after(target, segments));
    }
}
