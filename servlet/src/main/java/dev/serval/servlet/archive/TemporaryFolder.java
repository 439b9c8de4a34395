package dev.serval.servlet.archive;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/// The folder for temporary files of one running application (Servlet 6.1 §4.8.1). The next start
/// of a server deletes it if this process dies. The thread that undeploys closes it.
public final class TemporaryFolder implements Closeable {
    private final Path path;
    private final Lease lease;

    TemporaryFolder(Path path, Lease lease) {
        this.path = path;
        this.lease = lease;
    }

    /// Returns the folder, which exists and was empty.
    public Path path() {
        return path;
    }

    /// Deletes the folder with all that is in it.
    @Override
    public void close() throws IOException {
        try (lease) {
            FolderTree.delete(path);
        }
    }
}
