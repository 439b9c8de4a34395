package dev.serval.servlet.dispatch;

import jakarta.servlet.ServletException;

/// Makes anything that application code threw an exception that may be declared.
final class ServletFault {
    private ServletFault() {}

    /// Returns an exception as it is, and wraps other throwables.
    ///
    /// @throws Error if it is one
    static Exception of(Throwable thrown) {
        return switch (thrown) {
            case Exception e -> e;
            case Error e -> throw e;
            default -> new ServletException(thrown);
        };
    }
}
