package dev.serval.examples.shop.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Lets a form pass only if it carries the token of its session, which pages of other servers do not
/// know. `web.xml` maps it to all pages that take forms.
public final class FormGuard extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getMethod().equals("POST")) {
            request.setCharacterEncoding("UTF-8"); // as the pages are
            Visit visit = Visit.of(request);
            String token = Fields.text(request, "token");
            if (visit == null || !visit.owns(token)) {
                response.setStatus(HttpServletResponse.SC_FORBIDDEN);
                Page.show("expired", request, response);
                return;
            }
        }
        chain.doFilter(request, response);
    }
}
