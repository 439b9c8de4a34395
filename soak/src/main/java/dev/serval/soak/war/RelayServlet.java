package dev.serval.soak.war;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Lets [PageServlet] answer, at `/relay/WAY/SEED`: by a forward, between two includes, by its name,
/// or by a redirect.
@WebServlet("/relay/*")
public final class RelayServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        long seed = Asked.seed(request);
        RequestDispatcher page = request.getRequestDispatcher("/page/" + seed);
        switch (Asked.way(request)) {
            case "forward" -> {
                response.getOutputStream().print("this is dropped");
                page.forward(request, response);
            }
            case "include" -> {
                ServletOutputStream out = response.getOutputStream();
                out.print("[");
                page.include(request, response);
                out.print("|");
                page.include(request, response);
                out.print("]");
            }
            case "named" ->
                    getServletContext().getNamedDispatcher("page").forward(request, response);
            case "redirect" -> response.sendRedirect(request.getContextPath() + "/page/" + seed);
            default -> throw new IllegalArgumentException(request.getRequestURI());
        }
    }
}
