package dev.serval.gateway.fastcgi;

import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import java.nio.file.Path;
import java.util.List;

/// The files beside the scripts of a local root. Immutable; any thread.
///
/// @param handler serves them, and never takes the source of a script as the index of a folder
/// @param indexNames what answers for a folder, in order: names of files and of scripts
public record LocalFiles(FileHandler handler, List<String> indexNames) {
    /// Copies the list.
    public LocalFiles {
        indexNames = List.copyOf(indexNames);
    }

    /// Creates the files of a root.
    ///
    /// @param options those of the mount, whose index names may be those of scripts
    public static LocalFiles of(Path root, FileOptions options) {
        FileOptions withoutSources =
                options.with(draft ->
                        draft.indexNames =
                                options.indexNames().stream()
                                        .filter(name -> !ScriptLookup.isSource(name))
                                        .toList());
        return new LocalFiles(FileHandler.of(root, withoutSources), options.indexNames());
    }
}
