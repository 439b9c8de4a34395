package dev.serval.rule;

import dev.serval.exchange.EngineExchange;
import dev.serval.handler.Exchange;
import dev.serval.handler.Handler;
import dev.serval.http.Fields;
import dev.serval.http.PercentEncoding;
import dev.serval.http.Status;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/// Gives requests another target, by regular expressions, or redirects them. Everything that follows
/// sees the new target: the mount that it leads to, files, applications and other servers. Only
/// REQUEST_URI of an application, and the log, have the target that the client sent.
///
/// The first rule whose pattern matches applies. If the new target is below the same mount, the next
/// handler of the chain continues; otherwise the exchange enters the other mount.
public final class Rewrite implements Handler {
    private static final System.Logger LOG = System.getLogger(Rewrite.class.getName());

    /// The most characters that one pattern may look at, repetitions included. A pattern that needs
    /// more would keep the loop busy.
    private static final int STEPS_MAX = 500_000;

    private static final Pattern GROUP = Pattern.compile("\\$([0-9]|\\{([A-Za-z][A-Za-z0-9]*)\\})");

    /// A rule. Immutable.
    ///
    /// @param pattern a [Pattern] that must be found in the decoded path below the mount. `^` and `$`
    ///     are its ends, and `.` stands for each character: a path has no lines
    /// @param to the new path of the host, decoded, perhaps with a query after `?`. `$1` to `$9` stand
    ///     for groups of the pattern, `${name}` for one with a name, and `$0` for all that was
    ///     found. In a query they are encoded.
    ///     With a status it is what a [Redirect] leads to, encoded as the client gets it, and groups
    ///     are encoded in the path, too. They cannot be part of the host
    /// @param keepsQuery whether the query of the request is appended
    /// @param status 301, 302, 303, 307 or 308 to redirect; 0 to continue with the new target
    public record Rule(String pattern, String to, boolean keepsQuery, int status) {
        /// Creates a rule that continues with the new target.
        public Rule(String pattern, String to, boolean keepsQuery) {
            this(pattern, to, keepsQuery, 0);
        }

        /// Checks the rule.
        public Rule {
            if (status != 0) {
                checkRedirect(to, keepsQuery, status);
            } else if (!to.startsWith("/") && !to.startsWith("$")) {
                throw new IllegalArgumentException(
                        "A rewritten path must begin with / or a group, but is \"" + to + "\"");
            }
            checkGroups(compiled(pattern), to);
        }

        private static void checkRedirect(String to, boolean keepsQuery, int status) {
            Location.checkStatus(status);
            Location.checkQuery(to, keepsQuery);
            Matcher first = GROUP.matcher(to);
            if (first.find()) {
                Location.checkBegin(to.substring(0, first.start()), to);
            } else {
                Location.checkAddress(to);
            }
        }

        private static void checkGroups(Pattern pattern, String to) {
            Matcher groups = GROUP.matcher(to);
            while (groups.find()) {
                @Nullable String name = groups.group(2);
                boolean known =
                        name == null
                                ? groups.group(1).charAt(0) - '0'
                                        <= pattern.matcher("").groupCount()
                                : pattern.namedGroups().containsKey(name);
                if (!known) {
                    throw new IllegalArgumentException(
                            "The pattern "
                                    + pattern
                                    + " has no group "
                                    + groups.group()
                                    + ", which \""
                                    + to
                                    + "\" names");
                }
            }
        }

        private static Pattern compiled(String pattern) {
            try {
                return Pattern.compile(pattern, Pattern.UNIX_LINES);
            } catch (PatternSyntaxException e) {
                throw new IllegalArgumentException(
                        "The pattern " + pattern + " is wrong: " + e.getDescription(), e);
            }
        }
    }

    /// A rule whose pattern is compiled.
    ///
    /// @param location answers for a rule with a status; null without one
    private record Ready(
            Pattern pattern, Rule rule, @Nullable Location location, SlowPattern slow) {}

    private final List<Ready> rules;

    /// Creates the handler of these rules.
    public Rewrite(List<Rule> rules) {
        this(rules, message -> LOG.log(Level.WARNING, message));
    }

    /// @param log takes a message
    Rewrite(List<Rule> rules, Consumer<String> log) {
        List<Ready> ready = new ArrayList<>();
        for (Rule rule : rules) {
            SlowPattern slow = new SlowPattern(rule.pattern(), log);
            Location location = rule.status() == 0 ? null : new Location(rule.status());
            ready.add(new Ready(Rule.compiled(rule.pattern()), rule, location, slow));
        }
        this.rules = List.copyOf(ready);
    }

    @Override
    public void handle(Exchange exchange) {
        EngineExchange x = EngineExchange.of(exchange);
        String below = x.request().target().path().below(x.route().prefixLength());
        for (Ready one : rules) {
            Matcher found = one.pattern().matcher(new Steps(below));
            try {
                if (found.find()) {
                    apply(one, found, x);
                    return;
                }
            } catch (TooManySteps | StackOverflowError e) {
                one.slow().met(x);
                x.refuse(Status.INTERNAL_SERVER_ERROR, Fields.EMPTY, "");
                return;
            }
        }
        x.pass();
    }

    @Override
    public boolean takesOtherMethods() {
        return true; // a later handler may take them
    }

    @Override
    public boolean takesTrace() {
        return true; // likewise
    }

    private static void apply(Ready one, Matcher found, EngineExchange x) {
        Rule rule = one.rule();
        @Nullable Location location = one.location();
        int queryAt = rule.to().indexOf('?');
        String pathOnly = queryAt < 0 ? rule.to() : rule.to().substring(0, queryAt);
        String path =
                expanded(
                        pathOnly, found, location == null ? value -> value : PercentEncoding::path);
        @Nullable String query =
                queryAt < 0
                        ? null
                        : expanded(rule.to().substring(queryAt + 1), found, PercentEncoding::value);
        @Nullable String sent = rule.keepsQuery() ? x.request().target().query() : null;
        if (sent != null) {
            query = query == null || query.isEmpty() ? sent : query + "&" + sent;
        }
        if (location == null) {
            NewTarget.go(x, path.startsWith("/") ? path : "/" + path, query);
        } else {
            // A group may begin with a slash, and a path that begins with two is another site.
            String address = path.startsWith("//") ? path.replaceFirst("^/+", "/") : path;
            String to = query == null ? address : address + "?" + query;
            if (to.length() > NewTarget.MAX_CHARS) {
                x.refuse(Status.URI_TOO_LONG, Fields.EMPTY, "The address is too long.");
            } else {
                location.send(x, to);
            }
        }
    }

    private static String expanded(String template, Matcher found, UnaryOperator<String> encoding) {
        StringBuilder text = new StringBuilder();
        Matcher groups = GROUP.matcher(template);
        int at = 0;
        while (groups.find()) {
            text.append(template, at, groups.start());
            @Nullable String name = groups.group(2);
            @Nullable String value =
                    name == null ? found.group(groups.group(1).charAt(0) - '0') : found.group(name);
            if (value != null) {
                text.append(encoding.apply(value));
            }
            at = groups.end();
        }
        return text.append(template, at, template.length()).toString();
    }

    /// Ends a match that would take too long.
    private static final class TooManySteps extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooManySteps() {
            super("A pattern takes too long", null, false, false);
        }
    }

    /// A text that counts how often it is looked at: the only way to end a match from outside.
    private static final class Steps implements CharSequence {
        private final String text;
        private int left = STEPS_MAX;

        Steps(String text) {
            this.text = text;
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new TooManySteps();
            }
            return text.charAt(index);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.substring(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
