package dev.serval.jsp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.serval.servlet.pages.AllowedMethods;
import dev.serval.servlet.pages.PageException;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// Answers requests for pages: for the page at their path, or for always the same page. The
/// container creates it with the first of these requests, and Jasper is loaded then.
final class PageServlet extends HttpServlet implements AllowedMethods {
    /// The folder of compiled pages that requests reach by their path.
    static final String PAGES = "pages";

    /// The name of the servlet that shows them.
    static final String NAME = "jsp";

    private static final long serialVersionUID = 1;

    /// Opens the engine for a servlet.
    interface Opening {
        /// Opens it with a folder of that name for compiled pages.
        PageRuntime open(ServletConfig config, String folder) throws PageException;
    }

    private final transient Opening opening;
    private final String path;
    private transient volatile @Nullable PageRuntime runtime;

    /// Creates a servlet.
    ///
    /// @param path of the page; empty for the path of the request
    PageServlet(Opening opening, String path) {
        this.opening = opening;
        this.path = path;
    }

    /// Opens the engine, and begins the page of a servlet with a jsp-file, so that it is ready after
    /// the start if it has load-on-startup (Servlet 6.1 §14.4).
    @Override
    public void init() throws ServletException {
        try {
            PageRuntime opened = opening.open(getServletConfig(), folder());
            runtime = opened;
            if (!path.isEmpty()) {
                opened.begin(path);
            }
        } catch (PageException e) {
            throw new ServletException(e.getMessage(), e);
        }
    }

    /// Returns the name of the folder for compiled pages. Other servlets have one of their own, so
    /// that two engines never write the same file.
    private String folder() {
        return path.isEmpty() && getServletName().equals(NAME)
                ? PAGES
                : "file-" + UUID.nameUUIDFromBytes(getServletName().getBytes(UTF_8));
    }

    /// Returns the methods of pages (Jakarta Pages 4.0 §1.1.1).
    @Override
    public String allowed() {
        return "GET, HEAD, POST, OPTIONS";
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws ServletException, IOException {
        @Nullable PageRuntime open = runtime;
        if (open == null) {
            throw new ServletException("The servlet of pages was destroyed");
        }
        open.service(path.isEmpty() ? pathOf(request) : path, request, response);
    }

    /// Returns the path of the page: that of the include, or that of the request.
    private static String pathOf(HttpServletRequest request) {
        @Nullable Object included = request.getAttribute(RequestDispatcher.INCLUDE_SERVLET_PATH);
        return included == null
                ? text(request.getServletPath()) + text(request.getPathInfo())
                : included + text(request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO));
    }

    private static String text(@Nullable Object part) {
        return part == null ? "" : part.toString();
    }

    @Override
    public void destroy() {
        @Nullable PageRuntime open = runtime;
        runtime = null;
        if (open != null) {
            open.close();
        }
    }
}
