package dev.serval.servlet.app;

import static java.lang.System.Logger.Level.WARNING;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/// Answers requests for JSP pages in a container without a JSP engine: 501, and a line in the log
/// for the first of them. Any thread.
final class NoPages extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient System.Logger log;
    private final AtomicBoolean logged = new AtomicBoolean();

    NoPages(System.Logger log) {
        this.log = log;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (!logged.getAndSet(true)) {
            log.log(
                    WARNING,
                    "The JSP page "
                            + request.getServletPath()
                            + " was not shown, because this container has no JSP engine: add the"
                            + " module serval-jsp to the program, and call"
                            + " ServletContainer.builder().pages(new JspPages())");
        }
        response.sendError(HttpServletResponse.SC_NOT_IMPLEMENTED);
    }
}
