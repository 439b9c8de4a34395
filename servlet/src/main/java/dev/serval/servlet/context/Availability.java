package dev.serval.servlet.context;

import jakarta.servlet.Servlet;

/// Whether a servlet can serve a request now, and what the answer is if not (Servlet 6.1 §2.3.3.2).
public sealed interface Availability {
    /// The servlet can serve.
    ///
    /// @param servlet the initialised instance
    record Ready(Servlet servlet) implements Availability {}

    /// The servlet is gone for good: the answer is 404.
    record Gone() implements Availability {}

    /// The servlet is suspended: the answer is 503 with Retry-After.
    ///
    /// @param retryAfterSeconds at least 1
    record Later(long retryAfterSeconds) implements Availability {}

    /// The servlet could not be created: the answer is 500. The next request tries again.
    ///
    /// @param cause what its class or its `init` threw
    record Failed(Throwable cause) implements Availability {}
}
