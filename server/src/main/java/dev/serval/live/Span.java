package dev.serval.live;

import org.jspecify.annotations.Nullable;

/// The time that the charts of the live page show. Each has [History#SIZE] moments.
enum Span {
    /// Every second.
    TEN_MINUTES("10m", "10 minutes", "10 min", 1),
    /// Every six seconds.
    HOUR("1h", "1 hour", "1 h", 6),
    /// Every 144 seconds.
    DAY("1d", "1 day", "24 h", 144);

    private final String parameter;
    private final String text;
    private final String brief;
    private final int periodSeconds;

    Span(String parameter, String text, String brief, int periodSeconds) {
        this.parameter = parameter;
        this.text = text;
        this.brief = brief;
        this.periodSeconds = periodSeconds;
    }

    /// Returns the span that the query of a page names; ten minutes if it names none.
    static Span of(@Nullable String parameter) {
        for (Span span : values()) {
            if (span.parameter.equals(parameter)) {
                return span;
            }
        }
        return TEN_MINUTES;
    }

    /// Returns its name in the query.
    String parameter() {
        return parameter;
    }

    /// Returns its name for people.
    String text() {
        return text;
    }

    /// Returns its name at the axis of a chart.
    String brief() {
        return brief;
    }

    /// Returns the time between two moments.
    int periodSeconds() {
        return periodSeconds;
    }

    int seconds() {
        return periodSeconds * History.SIZE;
    }

    /// Returns the longest time between two moments that a chart shows as a line. After a longer one the
    /// process has not run.
    int gapSeconds() {
        return 5 * periodSeconds;
    }
}
