package dev.serval.bench.war;

import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Behaves as a page that renders and asks a database. It burns CPU time, sleeps for 100 ms and
/// writes 35 KB. The query string is the number of steps of [Burn].
@WebServlet("/slow")
public final class SlowServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private static final int SLEEP_MILLIS = 100;
    private static final byte[] CONTENT = Letters.bytes();

    /// The most digits of the number of steps.
    private static final int DIGITS_MAX = 12;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        String steps = request.getQueryString();
        if (steps == null || !steps.matches("\\d{1," + DIGITS_MAX + "}")) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return;
        }
        // The result is used, so that the compiler cannot leave the loop out.
        boolean burned = Burn.steps(Long.parseLong(steps)) != 0;
        try {
            Thread.sleep(SLEEP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServletException("interrupted", e);
        }
        response.setContentType(burned ? "text/plain" : "text/html");
        response.setContentLength(CONTENT.length);
        response.getOutputStream().write(CONTENT);
    }
}
