package dev.serval.bench.servlet;

import jakarta.servlet.Servlet;
import jakarta.servlet.annotation.WebServlet;
import java.util.ArrayList;
import java.util.List;

/// A servlet and its annotation, for embedded containers that do not scan annotations.
record Mapped(Class<? extends Servlet> type, String pattern, boolean async) {
    /// Returns all servlets of the application, loaded from the class path.
    static List<Mapped> all() throws ClassNotFoundException {
        List<Mapped> all = new ArrayList<>();
        for (String name : WarFolder.SERVLETS) {
            Class<? extends Servlet> type =
                    Class.forName(WarFolder.PACKAGE + "." + name).asSubclass(Servlet.class);
            WebServlet mapped = type.getAnnotation(WebServlet.class);
            List<String> patterns = new ArrayList<>(List.of(mapped.value()));
            patterns.addAll(List.of(mapped.urlPatterns()));
            for (String pattern : patterns) {
                all.add(new Mapped(type, pattern, mapped.asyncSupported()));
            }
        }
        return all;
    }
}
