package dev.serval.bench.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;

/// Counts the requests of a session: reads the number, writes the next one and answers with it in
/// ten digits. A query of a number creates a session that ends when it was idle for so many seconds;
/// the query `logout` ends it.
@WebServlet("/session")
public final class SessionServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    /// More than any run counts. The sum with it has eleven digits, and the first one is left out.
    private static final long ELEVEN_DIGITS = 10_000_000_000L;

    private static final String LOGOUT = "logout";

    /// What a small shop keeps of a client.
    private static final int CART_BYTES = 500;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpSession session = request.getSession();
        String query = request.getQueryString();
        if (query != null && session.isNew()) {
            session.setMaxInactiveInterval(Integer.parseInt(query));
            session.setAttribute("cart", new byte[CART_BYTES]);
        }
        Object last = session.getAttribute("count");
        long count = last instanceof Long number ? number + 1 : 1;
        session.setAttribute("count", count);
        if (LOGOUT.equals(query)) {
            session.invalidate();
        }
        response.setContentType("text/plain");
        response.getOutputStream().print(Long.toString(ELEVEN_DIGITS + count).substring(1));
    }
}
