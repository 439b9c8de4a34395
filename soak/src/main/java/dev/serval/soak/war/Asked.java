package dev.serval.soak.war;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;

/// Reads what a path asks for: `/SERVLET/WAY/SEED`, or `/SERVLET/SEED`. Stateless.
final class Asked {
    private Asked() {}

    /// Returns the last segment, a number.
    static long seed(HttpServletRequest request) {
        String path = path(request);
        return Long.parseLong(path.substring(path.lastIndexOf('/') + 1));
    }

    /// Returns the first segment after the servlet's path.
    static String way(HttpServletRequest request) {
        return path(request).split("/", -1)[1];
    }

    /// Returns the path info of the servlet that is called, which may be included.
    private static String path(HttpServletRequest request) {
        return request.getAttribute(RequestDispatcher.INCLUDE_PATH_INFO) instanceof String included
                ? included
                : request.getPathInfo();
    }
}
