package dev.serval.server;

import dev.serval.handler.Handler;
import dev.serval.servlet.ServletContainer;
import dev.serval.servlet.WebApp;
import dev.serval.servlet.WebAppException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The Servlet applications of a server. An application that cannot be started is reported, and the
/// others run without it. Used by the main thread.
///
/// Without applications, no class of the container is loaded, so that serving files starts as fast
/// as without it.
final class Applications {
    private final PrintStream err;
    private final boolean dev;
    private final Map<Mount, WebApp> apps = new LinkedHashMap<>();
    private @Nullable ServletContainer container;

    /// Creates an object without applications.
    ///
    /// @param err receives why an application was not started
    /// @param dev whether clients may see why an application failed
    Applications(PrintStream err, boolean dev) {
        this.err = err;
        this.dev = dev;
    }

    /// Starts the applications among the mounts.
    ///
    /// @return the mounts that can be served
    List<Mount> start(List<Mount> mounts) throws IOException {
        for (Mount mount : mounts) {
            if (mount.application()) {
                start(mount);
            }
        }
        return started(mounts);
    }

    private void start(Mount mount) throws IOException {
        @Nullable ServletContainer open = container;
        if (open == null) {
            open =
                    dev
                            ? ServletContainer.openForDevelopment(workFolder())
                            : ServletContainer.open(workFolder());
            container = open;
        }
        String contextPath = mount.prefix().equals("/") ? "" : mount.prefix();
        try {
            apps.put(mount, WebApp.of(contextPath, mount.path()).deploy(open));
        } catch (WebAppException | IOException | IllegalArgumentException e) {
            err.println(
                    "serval: "
                            + mount.path()
                            + " was not started: "
                            + (e.getMessage() == null ? e.toString() : e.getMessage()));
        }
    }

    /// Returns the mounts without applications that could not be started.
    List<Mount> started(List<Mount> mounts) {
        List<Mount> served = new ArrayList<>();
        for (Mount mount : mounts) {
            if (!mount.application() || apps.containsKey(mount)) {
                served.add(mount);
            }
        }
        return served;
    }

    /// Returns the handlers of an application that was started.
    Handler[] handlers(Mount mount) {
        @Nullable WebApp app = apps.get(mount);
        if (app == null) {
            throw new IllegalArgumentException(mount.path() + " is not an application that runs");
        }
        return app.handlers();
    }

    /// Stops the applications. Stop the server before.
    void close() {
        @Nullable ServletContainer open = container;
        container = null;
        if (open != null) {
            open.close();
        }
    }

    /// Returns the folder for unpacked applications: in the user's folder for caches (XDG Base
    /// Directory Specification), or a new temporary one if there is none.
    private static Path workFolder() throws IOException {
        @Nullable String caches = System.getenv("XDG_CACHE_HOME");
        Path parent =
                caches != null && caches.startsWith("/")
                        ? Path.of(caches)
                        : Path.of(System.getProperty("user.home", "/"), ".cache");
        try {
            return Files.createDirectories(parent).resolve("serval");
        } catch (IOException e) { // such as for a service without a home
            return Files.createTempDirectory("serval-");
        }
    }
}
