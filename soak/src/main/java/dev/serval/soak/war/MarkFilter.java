package dev.serval.soak.war;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Returns the field `Mark` of each request in its answer, and checks that no request has the mark
/// of another. Every third request is wrapped.
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public final class MarkFilter extends HttpFilter {
    private static final long serialVersionUID = 1;

    @Override
    protected void doFilter(
            HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String mark = request.getHeader("Mark");
        if (mark == null) {
            chain.doFilter(request, response);
            return;
        }
        if (request.getAttribute("mark") != null) {
            throw new IllegalStateException("has the mark " + request.getAttribute("mark"));
        }
        request.setAttribute("mark", mark);
        response.setHeader("Mark", mark);
        boolean wraps = mark.hashCode() % 3 == 0;
        chain.doFilter(wraps ? new HttpServletRequestWrapper(request) : request, response);
        if (!request.isAsyncStarted() && !mark.equals(request.getAttribute("mark"))) {
            throw new IllegalStateException("lost the mark " + mark);
        }
    }
}
