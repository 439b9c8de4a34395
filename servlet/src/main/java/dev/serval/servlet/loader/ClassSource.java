package dev.serval.servlet.loader;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/// A place that has classes: WEB-INF/classes or a jar.
sealed interface ClassSource extends Closeable permits FolderSource, JarSource {
    /// Something that a source has.
    interface Resource {
        /// Returns its URL.
        URL url() throws IOException;

        /// Opens it.
        InputStream open() throws IOException;
    }

    /// Finds a resource; null if there is none.
    ///
    /// @param name a name with slashes
    @Nullable Resource find(String name);

    /// Returns the place for the code source of classes.
    URL location();

    /// Returns the place for messages.
    String label();

    /// Returns the manifest; null if there is none.
    @Nullable Manifest manifest() throws IOException;
}
