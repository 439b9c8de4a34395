package dev.serval.servlet.loader;

/// One thing that an application left behind. Immutable.
///
/// @param kind what it is
/// @param detail which one, by name
/// @param remedy what the application's developers can do
/// @param undone whether the server removed it
public record Leak(Kind kind, String detail, String remedy, boolean undone) {
    /// What an application can leave behind.
    public enum Kind {
        /// A running thread.
        THREAD,
        /// The thread of a `java.util.Timer`.
        TIMER,
        /// A value in another thread.
        THREAD_LOCAL,
        /// A driver in `java.sql.DriverManager`.
        JDBC_DRIVER,
        /// A thread that runs when the JVM ends.
        SHUTDOWN_HOOK,
        /// A handler, filter or level in `java.util.logging`.
        LOGGING,
        /// A provider in `java.security.Security`.
        SECURITY_PROVIDER,
        /// The handler of exceptions that no code catches.
        UNCAUGHT_HANDLER
    }

    /// Returns one line for a log.
    @Override
    public String toString() {
        return kind + ": " + detail + (undone ? ". The server removed it. " : ". ") + remedy + ".";
    }
}
