package dev.serval.servlet.run;

import dev.serval.blocking.ExchangeAbortedException;
import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.ServletException;
import org.jspecify.annotations.Nullable;

/// Judges what application code threw.
final class ServletFault {
    private static final int CAUSES_MAX = 16;

    private ServletFault() {}

    /// Makes an exception that may be declared: returns an exception as it is, and wraps other
    /// throwables.
    ///
    /// @throws Error if it is one
    static Exception of(Throwable thrown) {
        if (thrown instanceof Error e) {
            throw e;
        }
        return thrown instanceof Exception e ? e : new ServletException(thrown);
    }

    /// Returns whether it was thrown because the client of this exchange has gone. The application may
    /// also pass on what another request has got, whose client has gone.
    static boolean isAbort(ServletExchange exchange, Throwable thrown) {
        if (exchange.engine().fault() == null) {
            return false;
        }
        @Nullable Throwable one = thrown;
        for (int i = 0; i < CAUSES_MAX && one != null; i++) {
            if (one instanceof ExchangeAbortedException) {
                return true;
            }
            one = one.getCause();
        }
        return false;
    }
}
