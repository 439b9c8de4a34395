package dev.serval.servlet.request;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Knows the users of an application and what they may do (Servlet 6.1 §13). Called by the thread
/// that owns the exchange; may block.
public interface Guard {
    /// Decides whether a request of a client may enter the application.
    @FunctionalInterface
    interface Admission {
        /// Checks the request, before its first filter.
        ///
        /// @return whether it may enter; if not, the response is decided
        boolean admit(ServletExchange exchange) throws ServletException, IOException;
    }

    /// Returns who the session of the request belongs to, for a request that was not checked.
    Identity remembered(ServletExchange exchange);

    /// Returns whether the user has a role, by the name that the servlet uses for it.
    boolean isInRole(ServletExchange exchange, Identity user, String role);

    /// Lets the user log in as the application declares (Javadoc of authenticate).
    ///
    /// @return whether the user is known; if not, the response is decided
    boolean authenticate(ServletExchange exchange, HttpServletResponse response)
            throws ServletException, IOException;

    /// Logs in by name and password (Javadoc of login).
    void login(ServletExchange exchange, @Nullable String name, @Nullable String password)
            throws ServletException;

    /// Forgets the user (Javadoc of logout).
    void logout(ServletExchange exchange);
}
