package dev.serval.soak.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts the requests of a session, changes its id or ends it. A session that its client has left
/// ends after some seconds.
@WebServlet("/session/*")
public final class SessionServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final int IDLE_SECONDS = 20;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        HttpSession session = request.getSession();
        if (session.isNew()) {
            session.setMaxInactiveInterval(IDLE_SECONDS);
            session.setAttribute("count", new AtomicInteger());
        }
        switch (Asked.way(request)) {
            case "change" -> request.changeSessionId();
            case "end" -> {
                session.invalidate();
                response.getWriter().print("ended");
                return;
            }
            default -> {}
        }
        if (!(session.getAttribute("count") instanceof AtomicInteger count)) {
            throw new IllegalStateException("the session has lost its count");
        }
        response.getWriter().print(count.incrementAndGet());
    }
}
