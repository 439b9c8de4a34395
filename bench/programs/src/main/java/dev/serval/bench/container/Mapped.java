package dev.serval.bench.container;

import dev.serval.bench.war.Burn;
import jakarta.servlet.Servlet;
import jakarta.servlet.annotation.WebServlet;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// A servlet and its annotation, for embedded containers that do not scan annotations.
record Mapped(Class<? extends Servlet> type, String pattern, boolean async) {
    /// Returns all servlets of the application.
    ///
    /// @param loader of its classes
    static List<Mapped> all(ClassLoader loader) throws ClassNotFoundException, IOException {
        List<Mapped> all = new ArrayList<>();
        for (String file : PackageClasses.of(Burn.class).keySet()) {
            String name = file.substring(0, file.length() - ".class".length()).replace('/', '.');
            // Not initialised, because a container does not initialise what is not requested.
            Class<?> type = Class.forName(name, false, loader);
            WebServlet mapped = type.getAnnotation(WebServlet.class);
            if (mapped == null) {
                continue;
            }
            List<String> patterns = new ArrayList<>(List.of(mapped.value()));
            patterns.addAll(List.of(mapped.urlPatterns()));
            for (String pattern : patterns) {
                all.add(
                        new Mapped(
                                type.asSubclass(Servlet.class), pattern, mapped.asyncSupported()));
            }
        }
        return all;
    }
}
