package dev.serval.servlet.pages;

import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import java.util.List;

/// The pages of one application. The container calls [#listeners] and [#beforeStart] before code of
/// the application runs, and [#started] when its servlets are ready. It calls [#close] after the
/// servlets were destroyed.
public interface AppPages extends AutoCloseable {
    /// Returns the names of the listener classes that tag libraries declare (Pages 4.0 §7.1.9).
    List<String> listeners();

    /// Prepares the context, so that listeners can use the JSP API.
    void beforeStart(ServletContext context);

    /// Returns the servlet that answers requests for pages by their path.
    Servlet servlet();

    /// Returns a servlet that always shows one page, for a servlet with a `jsp-file`.
    ///
    /// @param path of the page from the context root
    Servlet servlet(String path);

    /// Compiles all pages, if the engine shall do so at deployment.
    ///
    /// @throws PageException if a page cannot be compiled; the message begins with page and line
    void started(ServletContext context) throws PageException;

    /// Releases what the engine holds for the application.
    @Override
    void close();
}
