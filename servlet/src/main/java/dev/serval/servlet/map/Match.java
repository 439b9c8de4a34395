package dev.serval.servlet.map;

import org.jspecify.annotations.Nullable;

/// The servlet that a path reached, and the parts of the path. Immutable.
///
/// @param servlet the servlet
/// @param servletPath the part that the pattern matched (Servlet 6.1 §3.5)
/// @param pathInfo the part after it; null if there is none
/// @param mapping the same for applications
public record Match<T>(
        T servlet, String servletPath, @Nullable String pathInfo, PathMapping mapping) {
    /// Returns the whole path, from the context root.
    public String path() {
        return pathInfo == null ? servletPath : servletPath + pathInfo;
    }
}
