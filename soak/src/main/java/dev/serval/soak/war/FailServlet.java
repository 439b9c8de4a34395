package dev.serval.soak.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Fails, at `/fail/WAY/SEED`: by `sendError`, by an exception, or after a part of the answer.
@WebServlet(urlPatterns = "/fail/*", asyncSupported = true)
public final class FailServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        long seed = Asked.seed(request);
        byte[] page = Pattern.page(seed);
        switch (Asked.way(request)) {
            case "send" -> {
                // What was written before is dropped (Servlet 6.1 §5.3).
                response.getOutputStream().write(page, 0, page.length / 4);
                response.sendError((int) (400 + seed % 18), "meant " + seed);
            }
            case "exception" -> {
                response.getOutputStream().write(page, 0, page.length / 4);
                throw new Meant(seed);
            }
            case "committed" -> {
                if (seed % 2 == 0) {
                    response.setContentLength(page.length + 1);
                }
                response.getOutputStream().write(page, 0, page.length / 2);
                response.flushBuffer();
                throw new Meant(seed);
            }
            default -> throw new IllegalArgumentException(request.getRequestURI());
        }
    }
}
