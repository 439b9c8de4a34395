package dev.serval.servlet.scan;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The class files of one origin: a folder or a jar. Several threads may read different origins at
/// once, but only one thread reads one origin.
public interface ClassFiles {
    /// Receives files.
    @FunctionalInterface
    interface Visitor {
        /// Receives one file.
        ///
        /// @param path from the root of the origin, with slashes: `com/example/Cart.class`
        /// @param sizeBytes its size; -1 if unknown
        /// @param content gives its bytes, and may only be called during this call
        void file(String path, long sizeBytes, Content content) throws IOException;
    }

    /// The bytes of a file.
    @FunctionalInterface
    interface Content {
        /// Reads the file.
        ///
        /// @param maxBytes the most bytes that are read; the content ends there
        byte[] read(int maxBytes) throws IOException;
    }

    /// Returns the name of the origin for messages, for example `WEB-INF/lib/cart.jar`.
    String name();

    /// Returns a hash of all content, by which results are cached; null if nothing is to be cached.
    @Nullable String contentHash();

    /// Gives every file whose name ends in `.class` to the visitor.
    void classFiles(Visitor visitor) throws IOException;

    /// Returns the bytes of one file; null if there is no such file.
    ///
    /// @param path from the root of the origin, with slashes
    /// @param maxBytes the most bytes that are read; the content ends there
    byte @Nullable [] file(String path, int maxBytes) throws IOException;
}
