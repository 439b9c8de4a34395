package dev.serval.rule;

import dev.serval.handler.Body;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.PercentEncoding;
import dev.serval.http.ResponseHead;
import dev.serval.http.Status;
import dev.serval.http.Target;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Redirects one path, or all paths below it, to another address, and passes the other requests on.
///
/// The client can choose only what follows the address: the rest of the path, which has no empty
/// segments and is otherwise as it was sent ([SentPath]), and the query. It never chooses the host.
/// So a redirect does not lead to another site (`//evil.example`) unless the rule names that site.
public final class Redirect implements Handler {
    private static final Set<Integer> STATUSES = Set.of(301, 302, 303, 307, 308);
    private static final String REST = "/*";
    private static final String ALL = "/**";
    private static final Pattern URL =
            Pattern.compile(
                    "https?://(\\$host|[A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?([/?#].*)?");
    private static final Pattern HOST = Pattern.compile("(?<=^https?://)\\$host");

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
            check(
                    isPath(to) || isUrl(to),
                    "A redirect leads to a path that begins with one /, or to a URL such as"
                            + " https://www.example.org/, with blanks, \" and letters beyond ASCII encoded"
                            + " (%20), but this one to \"",
                    to);
            check(
                    !rest || to.endsWith("/"),
                    "A redirect of all paths below a path leads to an address with / at its end, so"
                            + " that the rest of the path can follow, but this one to \"",
                    to);
            check(
                    !keepsQuery || to.indexOf('#') < 0,
                    "A redirect that keeps the query leads to an address without #, but this one"
                            + " to \"",
                    to);
            check(
                    STATUSES.contains(status),
                    "A redirect has the status 301, 302, 303, 307 or 308, but this one \"",
                    String.valueOf(status));
        }

        private static int starAt(String from) {
            if (from.endsWith(ALL)) {
                return from.length() - 2;
            }
            return from.endsWith(REST) ? from.length() - 1 : -1;
        }

        private static boolean isPath(String to) {
            // Browsers read a backslash as a slash, so "/\" begins a host, too.
            return to.startsWith("/") && !to.startsWith("//") && isPlain(to);
        }

        private static boolean isUrl(String to) {
            return URL.matcher(to).matches() && isPlain(to);
        }

        private static boolean isPlain(String to) {
            return to.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\' && c != '"');
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
    private final Status status;
    private final boolean takesHost;

    /// Creates the handler of a rule.
    public Redirect(Rule rule) {
        this.rule = rule;
        this.all = rule.from().endsWith(ALL);
        this.below = all || rule.from().endsWith(REST);
        this.from = below ? rule.from().substring(0, rule.from().lastIndexOf('/')) : rule.from();
        this.status = Status.of(rule.status());
        this.takesHost = HOST.matcher(rule.to()).find();
    }

    @Override
    public void handle(Exchange x) {
        String below = x.request().target().path().below(x.route().prefixLength());
        @Nullable String rest = rest(below.isEmpty() ? "/" : below);
        if (rest == null) {
            x.pass();
            return;
        }
        String to = rule.to();
        if (takesHost) {
            String host = host(x.connection().authority(x.request()));
            if (host.isEmpty()) {
                x.refuse(
                        Status.BAD_REQUEST,
                        Fields.EMPTY,
                        "This address needs a request with the field Host.");
                return;
            }
            to = HOST.matcher(to).replaceFirst(Matcher.quoteReplacement(host));
        }
        StringBuilder location = new StringBuilder(to).append(sent(x.request().target(), rest));
        @Nullable String query = rule.keepsQuery() ? x.request().target().query() : null;
        if (query != null) {
            location.append(to.indexOf('?') < 0 ? '?' : '&').append(query);
        }
        Fields fields = Fields.of(FieldName.LOCATION, location.toString());
        x.response().send(new ResponseHead(status, fields, 0), Body.Empty.EMPTY);
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

    /// Returns the host without its port. The codec has checked its characters.
    private static String host(String authority) {
        int colon = authority.lastIndexOf(':');
        return colon < 0 || authority.indexOf(']', colon) >= 0
                ? authority
                : authority.substring(0, colon);
    }
}
