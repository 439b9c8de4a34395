package dev.serval.examples.shop.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Gives pages about errors the headers of the other pages. The container shows them, not [Page].
/// `web.xml` maps it to the dispatch of errors.
public final class ErrorHeaders extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Page.prepare(response);
        chain.doFilter(request, response);
    }
}
