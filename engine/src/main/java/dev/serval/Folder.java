package dev.serval;

import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.handler.Handler;
import java.nio.file.Path;

/// Creates handlers that serve files: GET and HEAD of regular files below a root, with validators
/// and ranges. See [FileHandler] for the details.
public final class Folder {
    private Folder() {}

    /// Returns a handler for the files below `root`, or for `root` itself if it is a file.
    ///
    /// @throws IllegalArgumentException if `root` is not a folder or file that can be served; the
    ///     message states why
    public static Handler of(Path root) {
        return of(root, FileOptions.DEFAULT);
    }

    /// Returns a handler as [#of(Path)] does, with other options, such as the charset of texts.
    ///
    /// @throws IllegalArgumentException as [#of(Path)]
    public static Handler of(Path root, FileOptions options) {
        return FileHandler.of(root, options);
    }
}
