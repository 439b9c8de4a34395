package dev.serval.servlet;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/// A servlet that runs the code of a test.
final class CodeServlet extends HttpServlet {
    private static final long serialVersionUID = 1;

    /// The code.
    interface Code {
        void run(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException;
    }

    private final transient Code code;

    CodeServlet(Code code) {
        this.code = code;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        code.run(request, response);
    }
}
