package dev.serval.servlet.registration;

/// How far an application has started.
///
/// ```
///   STARTING ── initializers ran ──► NOTIFYING ── listeners know ──► RUNNING
///      │                                │                               │
///      └── failed ──────────────────────┴── failed ──► STOPPED ◄── stop ┘
/// ```
public enum ContextState {
    /// Initializers run and may configure everything.
    STARTING,
    /// Context listeners run and may configure everything but context listeners.
    NOTIFYING,
    /// Nothing can be configured. Filters and servlets are created, and requests are served.
    RUNNING,
    /// The application has ended, or did not start.
    STOPPED;

    /// Returns whether code may still register components.
    public boolean isConfigurable() {
        return this == STARTING || this == NOTIFYING;
    }
}
