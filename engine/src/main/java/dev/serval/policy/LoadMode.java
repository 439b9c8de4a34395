package dev.serval.policy;

import java.util.Locale;

/// How loaded a server is, from least to most. Each mode has a [LoadRow] of settings.
public enum LoadMode {
    /// Requests begin at once, and there is room for connections.
    LIGHT,
    /// Requests wait a little, or many connections are open.
    NORMAL,
    /// Requests wait noticeably, or connections become scarce.
    HEAVY,
    /// The server can do no more: new work that would wait is refused.
    CRITICAL;

    private final String text = name().toLowerCase(Locale.ROOT);

    /// Returns the name in status and metrics.
    public String text() {
        return text;
    }
}
