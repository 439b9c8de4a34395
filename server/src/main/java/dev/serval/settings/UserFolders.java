package dev.serval.settings;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The server's folders among those of its user (XDG Base Directory Specification). Stateless.
public final class UserFolders {
    private UserFolders() {}

    /// Returns the folder for logs and other state.
    public static Path state() {
        return of("XDG_STATE_HOME", Path.of(".local", "state")).resolve("serval");
    }

    /// Returns the user's folder for caches, in which the server may create its own.
    public static Path caches() {
        return of("XDG_CACHE_HOME", Path.of(".cache"));
    }

    private static Path of(String variable, Path usual) {
        @Nullable String named = System.getenv(variable);
        return named != null && named.startsWith("/")
                ? Path.of(named)
                : Path.of(System.getProperty("user.home", "/")).resolve(usual);
    }
}
