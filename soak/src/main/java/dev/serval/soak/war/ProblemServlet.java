package dev.serval.soak.war;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// The error page of every failure: the status and the message of the exception.
@WebServlet(urlPatterns = "/problem", asyncSupported = true)
public final class ProblemServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Object fault = request.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        String message = fault instanceof Throwable thrown ? thrown.getMessage() : "none";
        response.setContentType("text/plain");
        response.getWriter()
                .print(request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE) + " " + message);
    }
}
