package dev.serval.servlet.multipart;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/// Where the content of a complete part is.
sealed interface PartContent {
    /// In memory. The array belongs to the part and may be longer.
    record InMemory(byte[] bytes, int length) implements PartContent {}

    /// In the spool.
    record Spooled(SpoolFile file) implements PartContent {}

    /// Where the application moved it.
    record Moved(Path path) implements PartContent {}

    /// Nowhere.
    record Deleted() implements PartContent {}

    /// Opens the content for reading.
    default InputStream open() throws IOException {
        if (this instanceof InMemory(byte[] bytes, int length)) {
            return new ByteArrayInputStream(bytes, 0, length);
        }
        if (this instanceof Spooled(SpoolFile file)) {
            return file.open();
        }
        if (this instanceof Moved(Path path)) {
            return Files.newInputStream(path);
        }
        throw deleted();
    }

    /// Writes the content to a file, which replaces one of that name.
    ///
    /// @return where the content is now
    default PartContent writeTo(Path target) throws IOException {
        if (this instanceof InMemory(byte[] bytes, int length)) {
            InputStream in = new ByteArrayInputStream(bytes, 0, length);
            Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
            return this;
        }
        if (this instanceof Spooled(SpoolFile file)) {
            file.moveTo(target);
            return new Moved(target);
        }
        if (this instanceof Moved(Path path)) {
            if (!path.equals(target)) {
                Files.copy(path, target, StandardCopyOption.REPLACE_EXISTING);
            }
            return this;
        }
        throw deleted();
    }

    /// Deletes the content, unless the application moved it out of the spool.
    default void delete() throws IOException {
        if (this instanceof Spooled(SpoolFile file)) {
            file.delete();
        }
    }

    private static IOException deleted() {
        return new IOException(
                "The part was deleted, by Part.delete or at the end of its request: copy what you"
                        + " need before.");
    }
}
