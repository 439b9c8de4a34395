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
    private final PrintStream out;
    private final PrintStream err;
    private final RunOptions options;
    private final Map<Mount, WebApp> apps = new LinkedHashMap<>();
    private final SessionStores sessions = new SessionStores();
    private @Nullable ServletContainer container;

    /// Creates an object without applications.
    ///
    /// @param out receives the logs of applications in development mode
    /// @param err receives why an application was not started
    Applications(PrintStream out, PrintStream err, RunOptions options) {
        this.out = out;
        this.err = err;
        this.options = options;
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
            open = open();
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

    private ServletContainer open() throws IOException {
        ServletContainer.Builder builder =
                ServletContainer.builder()
                        .workFolder(workFolder())
                        .requestTimeLimit(options.requestTimeLimit())
                        .sessions(sessions.options(options.sessions()));
        if (options.dev()) {
            builder.development();
        }
        @Nullable Path logs = options.appLogs();
        if (logs != null && isUsable(logs)) {
            if (options.dev()) {
                builder.appLogs(logs, out);
            } else {
                builder.appLogs(logs);
            }
            // Before the first message, so that the JDK's logging uses these streams.
            System.setOut(ServletContainer.routed(out));
            System.setErr(ServletContainer.routed(err));
        }
        return builder.open();
    }

    private boolean isUsable(Path logs) {
        try {
            Files.createDirectories(logs);
        } catch (IOException e) {
            err.println(
                    "serval: The folder for logs of applications "
                            + logs
                            + " cannot be created ("
                            + e
                            + "), so applications print here: choose another with --app-logs"
                            + " FOLDER.");
            return false;
        }
        return true;
    }

    /// Returns the log files of the applications that were started, in their order.
    List<Path> logFiles() {
        List<Path> files = new ArrayList<>();
        for (WebApp app : apps.values()) {
            @Nullable Path file = app.logFile();
            if (file != null) {
                files.add(file);
            }
        }
        return files;
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
        sessions.close();
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
