package dev.serval.bench.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;

/// Counts the requests of a session: reads the number, writes the next one and answers with it in
/// ten digits.
@WebServlet("/session")
public final class SessionServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    /// More than any run counts. The sum with it has eleven digits, and the first one is left out.
    private static final long ELEVEN_DIGITS = 10_000_000_000L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpSession session = request.getSession();
        Object last = session.getAttribute("count");
        long count = last instanceof Long number ? number + 1 : 1;
        session.setAttribute("count", count);
        response.setContentType("text/plain");
        response.getOutputStream().print(Long.toString(ELEVEN_DIGITS + count).substring(1));
    }
}
