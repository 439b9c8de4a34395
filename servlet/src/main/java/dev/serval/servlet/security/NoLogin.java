package dev.serval.servlet.security;

import dev.serval.servlet.request.ServletExchange;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

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
