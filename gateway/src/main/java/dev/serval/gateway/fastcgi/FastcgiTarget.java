package dev.serval.gateway.fastcgi;

import dev.serval.gateway.cgi.OwnVariable;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a FastCGI mount serves. Immutable.
///
/// @param root the folder of scripts, as the application server names it; null for an application
///     that serves every path of the mount itself
/// @param local whether this process can read `root`, so that files beside the scripts are served
///     and missing scripts are answered without the application server
/// @param index the script of a folder, such as `index.php`
/// @param fallback the script below `root` for paths that do not exist, such as `/index.php`; null
///     for none
/// @param sendRoot the folder whose files the application may name by X-Accel-Redirect and
///     X-Sendfile; null for none
/// @param keepsConnections whether a connection serves several requests. If not, the application
///     server closes it after each. A process of php-fpm serves no other connection as long as one
///     is open, so kept connections need a limit below the number of its processes
/// @param variables what the mount sets in place of variables of the request
public record FastcgiTarget(
        @Nullable Path root,
        boolean local,
        String index,
        @Nullable String fallback,
        @Nullable Path sendRoot,
        boolean keepsConnections,
        List<OwnVariable> variables) {
    /// Checks the names.
    public FastcgiTarget {
        variables = List.copyOf(variables);
        checkIndex(index);
        checkFallback(fallback);
    }

    /// Checks the name of an index.
    ///
    /// @throws IllegalArgumentException if it is not a file name
    public static void checkIndex(String index) {
        if (index.isEmpty() || index.indexOf('/') >= 0) {
            throw new IllegalArgumentException(
                    "The index of a FastCGI mount is a file name, such as index.php, not \""
                            + index
                            + "\"");
        }
    }

    /// Checks a fallback.
    ///
    /// @throws IllegalArgumentException if it is not a script below the root
    public static void checkFallback(@Nullable String fallback) {
        if (fallback != null && (!fallback.startsWith("/") || fallback.contains("/."))) {
            throw new IllegalArgumentException(
                    "The fallback of a FastCGI mount is a script below its root, such as"
                            + " /index.php, not \""
                            + fallback
                            + "\"");
        }
    }

    /// Creates the target of an application without scripts.
    public static FastcgiTarget ofApplication() {
        return new FastcgiTarget(null, false, "index.php", null, null, false, List.of());
    }
}
