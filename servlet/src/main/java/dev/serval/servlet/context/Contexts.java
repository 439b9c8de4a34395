package dev.serval.servlet.context;

import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/// Finds the applications on the same server.
@FunctionalInterface
public interface Contexts {
    /// Returns the context of the application that serves a path, which begins with a slash; null
    /// if none does or it is not open to others.
    @Nullable ServletContext forPath(String path);
}
