package dev.serval.servlet.context;

import org.jspecify.annotations.Nullable;

/// Knows the media types of files that the application does not declare.
@FunctionalInterface
public interface MediaTypeTable {
    /// Returns the media type of a file extension in lower case, without parameters; null if it is
    /// unknown.
    @Nullable String byExtension(String extension);
}
