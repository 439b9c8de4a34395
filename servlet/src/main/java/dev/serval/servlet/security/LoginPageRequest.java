package dev.serval.servlet.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/// The request as the login page sees it: a GET, because the page is no target of the client's
/// method.
final class LoginPageRequest extends HttpServletRequestWrapper {
    LoginPageRequest(HttpServletRequest request) {
        super(request);
    }

    @Override
    public String getMethod() {
        return "GET";
    }
}
