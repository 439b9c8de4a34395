package dev.serval.examples.servlet;

import dev.serval.Serval;
import dev.serval.servlet.ServletContainer;
import dev.serval.servlet.WebApp;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// Says hello by a servlet, without a WAR.
public final class HelloServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        response.getWriter().print("Hello " + request.getParameter("name"));
    }

    static Serval start(int port, ServletContainer container) throws IOException {
        WebApp app = WebApp.at("/app").servlet("/hello", new HelloServlet()).deploy(container);
        return Serval.listen(port).mount(app.prefix(), app.handlers()).start();
    }
}
