package dev.serval.servlet.context;

import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds the files of an application: those of its root, then META-INF/resources of its jars
/// (Servlet 6.1 §4.6). Paths begin with a slash and have no empty or dot segments.
public interface AppResources {
    /// Returns the address of a file or folder; null if there is none.
    @Nullable URL url(String path);

    /// Opens a file; null if there is none.
    @Nullable InputStream open(String path);

    /// Returns where a path would be on the file system; null if it would be in a jar.
    @Nullable Path realPath(String path);

    /// Returns the full paths directly below a folder, those of folders with a slash at the end.
    /// The set is empty if there is no such folder.
    ///
    /// @param path with or without a slash at the end
    Set<String> below(String path);
}
