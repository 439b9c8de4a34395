package dev.serval.servlet.context;

import jakarta.servlet.RequestDispatcher;
import org.jspecify.annotations.Nullable;

/// Makes the dispatchers of an application (Servlet 6.1 §9.1).
public interface Dispatchers {
    /// Returns the dispatcher to a path, which begins with a slash and may have a query; null if
    /// the path leads outside the application.
    @Nullable RequestDispatcher forPath(String path);

    /// Returns the dispatcher to a servlet by its name; null if there is none.
    @Nullable RequestDispatcher named(String servlet);
}
