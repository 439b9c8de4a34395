package dev.serval.servlet.context;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// Brings paths of resources into one form. Unlike the paths of requests, they are names of files:
/// `%`, `;` and `?` stand for themselves. Stateless.
final class ResourcePath {
    private ResourcePath() {}

    /// Removes empty and dot segments (Servlet 6.1 §3.5.2). A slash at the end stays.
    ///
    /// @param path a path that begins with a slash
    /// @return null if the path leads above the root, or has a backslash or NUL, which separate or
    ///     end names on some systems
    static @Nullable String canonical(String path) {
        if (path.indexOf('\\') >= 0 || path.indexOf('\0') >= 0) {
            return null;
        }
        Deque<String> segments = new ArrayDeque<>();
        boolean folder = true;
        for (String segment : path.substring(1).split("/", -1)) {
            folder = segment.isEmpty() || segment.equals(".") || segment.equals("..");
            if (segment.equals("..")) {
                if (segments.isEmpty()) {
                    return null;
                }
                segments.removeLast();
            } else if (!folder) {
                segments.addLast(segment);
            }
        }
        String joined = "/" + String.join("/", segments);
        return folder && !segments.isEmpty() ? joined + "/" : joined;
    }
}
