package dev.serval.servlet;

import dev.serval.servlet.app.AppContainer;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Runs Jakarta Servlet applications on a server. Open it first, deploy applications by
/// [WebApp.Builder#deploy], mount them with `Serval.builder().mount(app.prefix(), app.handlers())`, stop the
/// server, and close the container last, which also stops its applications. Any thread.
public final class ServletContainer implements AutoCloseable {
    private final AppContainer apps;

    private ServletContainer(AppContainer apps) {
        this.apps = apps;
    }

    /// Opens a container with a temporary work folder, so that archives are unpacked at every start.
    ///
    /// @throws IOException if the folder cannot be created
    public static ServletContainer open() throws IOException {
        return open(Files.createTempDirectory("serval-"));
    }

    /// Opens a container.
    ///
    /// @param workFolder keeps unpacked applications between starts, and uploads while they are
    ///     read; created if missing; several servers of one user may share it
    /// @throws IOException if the folder cannot be created or written
    public static ServletContainer open(Path workFolder) throws IOException {
        return open(workFolder, false);
    }

    /// Opens a container for development, which shows clients why a request failed.
    ///
    /// @param workFolder as for [#open(Path)]
    /// @throws IOException if the folder cannot be created or written
    public static ServletContainer openForDevelopment(Path workFolder) throws IOException {
        return open(workFolder, true);
    }

    private static ServletContainer open(Path workFolder, boolean showsFaults) throws IOException {
        @Nullable String version = ServletContainer.class.getPackage().getImplementationVersion();
        String server = version == null ? "Serval" : "Serval/" + version;
        try {
            Files.createDirectories(workFolder.toAbsolutePath().getParent());
            return new ServletContainer(new AppContainer(workFolder, server, showsFaults));
        } catch (FileSystemException e) { // its message may be a path alone
            throw new IOException(
                    "The work folder "
                            + workFolder
                            + " cannot be created or written ("
                            + e
                            + "): let this user write there, or choose another; serval run takes"
                            + " the one in XDG_CACHE_HOME",
                    e);
        }
    }

    AppContainer apps() {
        return apps;
    }

    /// Stops the applications that still run. Stop the server before.
    @Override
    public void close() {
        apps.close();
    }
}
