package dev.serval.policy;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/// The deviations from RFC 9112's grammar that a parser may accept. All others are refused.
/// Immutable.
public enum Leniency {
    /// One CRLF before a request line, because old clients send it after the content of a POST. A
    /// second CRLF is refused, so that a client cannot keep a parser busy with empty lines.
    EMPTY_LINE_BEFORE_REQUEST("RFC 9112 §2.2", true),
    /// `[`, `]`, `|` and `^` in a path. Browsers send them as they are, because the WHATWG URL
    /// standard does not percent-encode them there.
    BROWSER_CHARACTERS_IN_PATH("RFC 3986 §3.3", true),
    /// `[`, `]`, `{`, `}`, `|`, `^`, the backslash and the back quote in a query, for the same
    /// reason.
    BROWSER_CHARACTERS_IN_QUERY("RFC 3986 §3.4", true),
    /// A `%` in a query that two hexadecimal digits do not follow. Browsers send it as it is.
    BARE_PERCENT_IN_QUERY("RFC 3986 §2.1", true);

    private final String section;
    private final boolean on;

    Leniency(String section, boolean on) {
        this.section = section;
        this.on = on;
    }

    /// Returns the section of the rule that it relaxes.
    public String section() {
        return section;
    }

    /// Returns the deviations that are accepted by default.
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
