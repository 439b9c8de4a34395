package dev.serval.servlet.login;

import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// A way to log in that a login-config declares (Servlet 6.1 §13.6). Runs on the thread of the
/// request.
public sealed interface Authenticator
        permits BasicLogin,
                CertificateLogin,
                DigestLogin,
                FormLogin,
                Authenticator.NoLogin,
                Authenticator.Undeclared {
    /// No client can log in: the application declares no way that this server has, or the server has no
    /// users.
    record NoLogin(String scheme) implements Authenticator {
        @Override
        public boolean authenticate(
                ServletExchange exchange, HttpServletResponse response, boolean protects)
                throws IOException {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
            return false;
        }
    }

    /// The application declares no way to log in, so only its own code can log a user in.
    record Undeclared() implements Authenticator {
        @Override
        public String scheme() {
            return "LOGIN";
        }

        @Override
        public boolean authenticate(
                ServletExchange exchange, HttpServletResponse response, boolean protects)
                throws IOException {
            response.sendError(HttpServletResponse.SC_FORBIDDEN);
            return false;
        }
    }

    /// Returns the name for `getAuthType`.
    String scheme();

    /// Finds out who sends the request, and sets that in the exchange. If it is not known, asks the
    /// client by `response`.
    ///
    /// @param protects whether a constraint asks; if not, the application does
    /// @return whether the user is known; if not, the response is decided
    boolean authenticate(ServletExchange exchange, HttpServletResponse response, boolean protects)
            throws ServletException, IOException;
}
