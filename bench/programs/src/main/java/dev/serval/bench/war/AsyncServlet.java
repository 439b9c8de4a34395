package dev.serval.bench.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/// Starts asynchronous processing and dispatches to [HelloServlet] (Servlet 6.1 §9.6).
@WebServlet(urlPatterns = "/async", asyncSupported = true)
public final class AsyncServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        request.startAsync().dispatch("/hello");
    }
}
