package dev.serval;

import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.handler.Handler;
import java.nio.file.Path;

/// Files as a handler: GET and HEAD of regular files below a root, with validators and ranges. See
/// [FileHandler] for all it does.
public final class Folder {
    private Folder() {}

    /// Serves the files below `root`, or the one file it is.
    ///
    /// @throws IllegalArgumentException where there is nothing to serve at `root`, saying why
    public static Handler of(Path root) {
        return FileHandler.of(root, FileOptions.DEFAULT);
    }
}
