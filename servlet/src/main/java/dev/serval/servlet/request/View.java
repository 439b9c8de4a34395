package dev.serval.servlet.request;

import dev.serval.servlet.descriptor.ServletDescription;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletMapping;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How the request looks to the code that a dispatch calls (Servlet 6.1 §3.5, §9). Immutable but for
/// the attributes of a dispatch.
///
/// @param app the application of that code
/// @param type the kind of dispatch
/// @param requestUri the path as it was sent, or of the dispatch, encoded
/// @param servletPath the part of the path that the servlet's pattern matched
/// @param pathInfo the part after it; null if there is none
/// @param mapping how the path reached the servlet
/// @param query the raw query; null if there is none
/// @param servlet the servlet
/// @param special attributes that the dispatch defines, by name. Code that the dispatch calls may
///     change them, unless `type` is REQUEST. They end with the dispatch.
/// @param byClient whether the path is the one that the client sent, and not one that code of the
///     application chose for a dispatch
public record View(
        AppScope app,
        DispatcherType type,
        String requestUri,
        String servletPath,
        @Nullable String pathInfo,
        HttpServletMapping mapping,
        @Nullable String query,
        ServletDescription servlet,
        Map<String, Object> special,
        boolean byClient) {
    /// Returns the path from the context root, as filters match it.
    public String path() {
        return pathInfo == null ? servletPath : servletPath + pathInfo;
    }

    /// Returns the dispatcher to a path, which may be relative to this one; null if it leads outside
    /// the application.
    @Nullable RequestDispatcher dispatcher(String path) {
        return app.context()
                .getRequestDispatcher(
                        path.startsWith("/") ? path : RequestTarget.inFolderOf(path(), path));
    }
}
