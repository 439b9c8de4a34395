package dev.serval.servlet.archive;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An application's files on the disk, which stay there until it is closed. Threads may use it at
/// once; the thread that undeploys closes it.
public final class UnpackedApp implements Closeable {
    private final Path root;
    private final Path resources;
    private final @Nullable Lease lease;
    private final String key;

    UnpackedApp(Path root, Path resources, @Nullable Lease lease, String key) {
        this.root = root;
        this.resources = resources;
        this.lease = lease;
        this.key = key;
    }

    /// Returns the folder that has WEB-INF.
    public Path root() {
        return root;
    }

    /// Returns a name that is the same for the same content; for a folder, for the same path.
    public String key() {
        return key;
    }

    /// Returns the jars in WEB-INF/lib, sorted by name.
    public List<Path> jars() throws IOException {
        return JarResources.jars(root);
    }

    /// Returns the files of the application and the resources of its jars.
    ///
    /// @param jars the jars in the order in which their resources are searched
    public AppFiles files(List<Path> jars) throws IOException {
        List<AppFiles.Layer> layers = new ArrayList<>();
        layers.add(new AppFiles.Layer(root.toRealPath(), ""));
        for (Path jar : jars) {
            String name = String.valueOf(jar.getFileName());
            Path folder = JarResources.folder(resources, name);
            if (Files.isDirectory(folder)) {
                layers.add(new AppFiles.Layer(folder.toRealPath(), name));
            }
        }
        return new AppFiles(layers);
    }

    /// Allows the files of an archive to be deleted, once there is no room left.
    @Override
    public void close() throws IOException {
        if (lease != null) {
            lease.close();
        }
    }
}
