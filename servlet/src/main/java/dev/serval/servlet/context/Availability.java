package dev.serval.servlet.context;

import jakarta.servlet.Servlet;

/// Whether a servlet can serve a request now, and the status of the response if it cannot
/// (Servlet 6.1 §2.3.3.2).
public sealed interface Availability {
    /// The servlet can serve.
    ///
    /// @param servlet the initialised instance
    record Ready(Servlet servlet) implements Availability {}

    /// The servlet is permanently unavailable: the status is 404.
    record Gone() implements Availability {}

    /// The servlet is temporarily unavailable: the status is 503, with Retry-After.
    ///
    /// @param retryAfterSeconds at least 1; 0 if a filter does not know it
    record Later(long retryAfterSeconds) implements Availability {}

    /// The servlet could not be created: the status is 500. The next request tries again.
    ///
    /// @param cause the exception of its class or its `init`
    record Failed(Throwable cause) implements Availability {}
}
