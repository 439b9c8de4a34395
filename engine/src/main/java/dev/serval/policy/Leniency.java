package dev.serval.policy;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// Every deviation from the grammar of RFC 9112 that a parser may accept. What is not named here is
/// refused. Immutable.
public enum Leniency {
    /// One CRLF in front of a request line, as old clients send behind the content of a POST. A
    /// second one is refused, so that nobody keeps a parser busy with nothing.
    EMPTY_LINE_BEFORE_REQUEST("RFC 9112 §2.2", true),
    /// `[`, `]`, `{`, `}`, `|`, `^` and the back quote in a query, where browsers leave them as they
    /// are: the WHATWG URL standard does not percent-encode them there.
    BROWSER_CHARACTERS_IN_QUERY("RFC 3986 §3.4", true),
    /// A `%` in a query without two hexadecimal digits behind it, which browsers leave alone too.
    BARE_PERCENT_IN_QUERY("RFC 3986 §2.1", true);

    private final String section;
    private final boolean on;

    Leniency(String section, boolean on) {
        this.section = section;
        this.on = on;
    }

    /// The rule it bends.
    public String section() {
        return section;
    }

    /// Whether it is accepted unless somebody says otherwise.
    public boolean onByDefault() {
        return on;
    }

    /// Those that are on by default.
    public static Set<Leniency> defaults() {
        EnumSet<Leniency> defaults = EnumSet.noneOf(Leniency.class);
        for (Leniency leniency : values()) {
            if (leniency.on) {
                defaults.add(leniency);
            }
        }
        return Collections.unmodifiableSet(defaults);
    }
}
