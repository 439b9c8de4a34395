package dev.serval.servlet.async;

import dev.serval.servlet.dispatch.AppRoutes;
import dev.serval.servlet.map.NormalPath;
import dev.serval.servlet.request.View;
import jakarta.servlet.ServletContext;
import org.jspecify.annotations.Nullable;

/// Where `AsyncContext.dispatch()` continues a request (Servlet 6.1, its Javadoc). Immutable.
///
/// @param context the application
/// @param path from the context root, encoded
/// @param uri what `getRequestURI` of the container's request returns there
/// @param byClient whether the client sent the path
record AsyncReturn(ServletContext context, String path, String uri, boolean byClient) {
    /// Returns where a request continues that the application has not passed to `startAsync`.
    static AsyncReturn of(View view) {
        return of(view, view.requestUri(), view.app().context().getContextPath());
    }

    /// Returns where a request continues that the application has passed to `startAsync`. It may be
    /// a wrapper with the context path that a proxy has removed (`X-Forwarded-Prefix`).
    ///
    /// @param view how the container's request looks
    /// @param uri of the request that was passed
    /// @param contextPath of the request that was passed
    static AsyncReturn of(View view, String uri, String contextPath) {
        ServletContext context = view.app().context();
        String own = context.getContextPath();
        @Nullable String below = below(uri, contextPath);
        // The client may have written the context path in another way: /%73hop/x, //shop/x
        String path = below == null ? AppRoutes.encoded(view.path()) : below;
        boolean same = uri.equals(view.requestUri()) && contextPath.equals(own);
        // The wrapper adds its context path to the container's URI again.
        return new AsyncReturn(context, path, same ? uri : own + path, view.byClient());
    }

    /// Returns the part of the URI after the context path; null if the URI does not begin with it.
    private static @Nullable String below(String uri, String contextPath) {
        if (!uri.startsWith(contextPath)) {
            return null;
        }
        String rest = uri.substring(contextPath.length());
        String path = rest.isEmpty() ? "/" : rest;
        return path.startsWith("/") && NormalPath.normal(path) != null ? path : null;
    }
}
