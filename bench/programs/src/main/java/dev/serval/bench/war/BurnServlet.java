package dev.serval.bench.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Burns CPU time, and then answers with 13 bytes. The query string is the number of steps of
/// [Burn].
@WebServlet("/burn")
public final class BurnServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        String steps = request.getQueryString();
        if (steps == null || !steps.matches("\\d{1,12}")) {
            response.sendError(HttpServletResponse.SC_BAD_REQUEST);
            return;
        }
        // The result is used, so that the compiler cannot leave the loop out.
        boolean burned = Burn.steps(Long.parseLong(steps)) != 0;
        response.setContentType(burned ? "text/plain" : "text/html");
        response.setContentLength(HELLO.length);
        response.getOutputStream().write(HELLO);
    }
}
