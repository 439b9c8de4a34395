package dev.serval.servlet.loader;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/// Classes in a folder. Links may not lead out of it. Threads may use it at once.
final class FolderSource implements ClassSource {
    private record FileResource(Path path) implements Resource {
        @Override
        public URL url() throws IOException {
            return path.toUri().toURL();
        }

        @Override
        public InputStream open() throws IOException {
            return Files.newInputStream(path);
        }
    }

    private final Path root;
    private final URL location;

    /// @param folder an existing folder
    FolderSource(Path folder) throws IOException {
        this.root = folder.toRealPath();
        this.location = root.toUri().toURL();
    }

    @Override
    public @Nullable Resource find(String name) {
        try {
            Path path = root.resolve(name).normalize();
            // No check of links is needed for names that do not exist, which are most.
            return path.startsWith(root)
                            && Files.exists(path)
                            && path.toRealPath().startsWith(root)
                            && (!name.endsWith("/") || Files.isDirectory(path))
                    ? new FileResource(path)
                    : null;
        } catch (InvalidPathException | IOException e) {
            return null; // the file system does not allow the name, or the file is gone
        }
    }

    @Override
    public URL location() {
        return location;
    }

    @Override
    public String label() {
        return "WEB-INF/classes";
    }

    @Override
    public @Nullable Manifest manifest() {
        return null;
    }

    @Override
    public void close() {}
}
