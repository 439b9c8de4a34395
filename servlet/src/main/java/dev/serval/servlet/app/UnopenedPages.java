package dev.serval.servlet.app;

import dev.serval.servlet.pages.AppPages;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import java.util.List;

/// The pages of an application that no JSP engine has opened: requests for them get 501.
///
/// @param log of the application
record UnopenedPages(System.Logger log) implements AppPages {
    @Override
    public List<String> listeners() {
        return List.of();
    }

    @Override
    public void beforeStart(ServletContext context) {}

    @Override
    public Servlet servlet() {
        return new NoPages(log);
    }

    @Override
    public Servlet servlet(String path) {
        return new NoPages(log);
    }

    @Override
    public void started(ServletContext context) {}

    @Override
    public void close() {}
}
