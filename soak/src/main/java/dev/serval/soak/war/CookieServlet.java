package dev.serval.soak.war;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Answers with all cookies of the request, in their order.
@WebServlet("/cookies")
public final class CookieServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        StringBuilder text = new StringBuilder();
        Cookie[] cookies = request.getCookies();
        for (Cookie cookie : cookies == null ? new Cookie[0] : cookies) {
            text.append(cookie.getName()).append('=').append(cookie.getValue()).append(';');
        }
        response.addCookie(new Cookie("seen", String.valueOf(text.length())));
        response.getWriter().print(text);
    }
}
