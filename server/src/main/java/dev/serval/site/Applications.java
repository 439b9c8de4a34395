package dev.serval.site;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.Serval;
import dev.serval.database.PooledSources;
import dev.serval.handler.Handler;
import dev.serval.jsp.JspPages;
import dev.serval.policy.LoadMode;
import dev.serval.servlet.LoginFigures;
import dev.serval.servlet.ServletContainer;
import dev.serval.servlet.UserStore;
import dev.serval.servlet.WebApp;
import dev.serval.servlet.WebAppException;
import dev.serval.settings.AppChoice;
import dev.serval.settings.Mount;
import dev.serval.settings.MountChoice;
import dev.serval.settings.Place;
import dev.serval.settings.UserFolders;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The Servlet applications of a server. An application that cannot be started is reported, and the
/// others run without it. The main thread starts and stops them; the threads of commands deploy
/// others.
///
/// Without applications, no class of the container is loaded, so that serving files starts as fast
/// as without it.
public final class Applications {
    private static final System.Logger LOG = System.getLogger(Applications.class.getName());

    private final PrintStream out;
    private final PrintStream err;
    private final AppChoice options;
    private final Duration sessionsMax;
    private final Map<Mount, WebApp> apps = new LinkedHashMap<>();
    private final Set<Mount> failed = new HashSet<>(); // at the start, and not started since
    private final Map<Mount, Long> tried = new HashMap<>(); // states of files; in development mode
    private final SessionStores sessions = new SessionStores();
    private @Nullable ServletContainer container;
    private volatile MountChoice.AppFiles files = MountChoice.AppFiles.USUAL;
    private volatile @Nullable Serval serval; // null before the start

    /// Creates an object without applications.
    ///
    /// @param out receives the logs of applications in development mode
    /// @param err receives why an application was not started
    public Applications(PrintStream out, PrintStream err, AppChoice options) {
        this(out, err, options, Duration.ZERO);
    }

    /// Creates an object without applications.
    ///
    /// @param sessionsMax how long sessions in files are awaited that the predecessor of this process
    ///     still has
    public Applications(PrintStream out, PrintStream err, AppChoice options, Duration sessionsMax) {
        this.out = out;
        this.err = err;
        this.options = options;
        this.sessionsMax = sessionsMax;
    }

    /// Notes the server that has started, whose load matters to sessions.
    void servedBy(Serval started) {
        serval = started;
    }

    /// Sets how files are served of the applications that are mounted from now on.
    public void serveFiles(MountChoice.AppFiles options) {
        files = options;
    }

    private boolean isLoaded() {
        @Nullable Serval started = serval;
        return started != null && started.load().mode().compareTo(LoadMode.HEAVY) >= 0;
    }

    /// Starts the applications among the mounts.
    ///
    /// @return the mounts that can be served
    public List<Mount> start(List<Mount> mounts) {
        for (Mount mount : mounts) {
            if (mount.application()) {
                start(mount);
            }
        }
        return started(mounts);
    }

    private void start(Mount mount) {
        try {
            put(mount, deploy(mount, null));
        } catch (IOException | RuntimeException | LinkageError e) {
            synchronized (this) {
                failed.add(mount);
            }
            err.println("serval: " + mount.path() + " was not started: " + reason(mount, e));
        }
    }

    /// Returns why an application was not started. Logs the stack trace of a failure that the
    /// container did not expect.
    static String reason(Mount mount, Throwable failure) {
        if (!(failure instanceof WebAppException
                || failure instanceof IOException
                || failure instanceof IllegalArgumentException)) {
            LOG.log(WARNING, "The start of " + mount.path() + " failed", failure);
            @Nullable Throwable cause = failure.getCause();
            return failure + (cause == null ? "" : " (" + cause + ")");
        }
        @Nullable String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }

    /// Starts an application, without serving it.
    ///
    /// @param former the version that it will replace; null for none
    /// @throws WebAppException if it cannot be started
    /// @throws IOException if its files cannot be read
    /// @throws IllegalArgumentException if its context path is impossible
    WebApp deploy(Mount mount, @Nullable WebApp former) throws IOException {
        String contextPath = mount.prefix().equals("/") ? "" : mount.prefix();
        WebApp.Builder builder = WebApp.of(contextPath, mount.path());
        if (!mount.place().isDefaultHost()) {
            builder.host(mount.place().host());
        }
        if (former != null) {
            builder.replacing(former);
        }
        if (options.dev()) {
            // Before the start, so that the watch notices what is saved meanwhile.
            long state = DevWatch.state(mount.path());
            synchronized (this) {
                tried.put(mount, state);
            }
        }
        try {
            return builder.deploy(opened());
        } catch (IOException | RuntimeException | Error e) {
            dropTried();
            throw e;
        }
    }

    private synchronized void dropTried() {
        tried.keySet().retainAll(apps.keySet());
    }

    /// Returns the state of the files from which an application was last started, or from which that
    /// was tried; 0 if it does not run. Only in development mode.
    synchronized long triedState(Mount mount) {
        return tried.getOrDefault(mount, 0L);
    }

    private synchronized ServletContainer opened() throws IOException {
        if (container == null) {
            container = open();
        }
        return container;
    }

    /// Adds a running application, in place of another version at the same prefix.
    synchronized void put(Mount mount, WebApp app) {
        apps.keySet().removeIf(present -> present.place().equals(mount.place()));
        apps.put(mount, app);
        failed.removeIf(other -> other.place().equals(mount.place()));
        dropTried();
    }

    /// Returns whether an application failed at the start of the server, and nothing has been started
    /// at its place since.
    synchronized boolean hasFailed(Mount mount) {
        return failed.contains(mount);
    }

    /// Removes an application.
    synchronized void remove(Mount mount) {
        apps.remove(mount);
        dropTried();
    }

    /// Returns the applications that run.
    public synchronized Map<Mount, WebApp> running() {
        return new LinkedHashMap<>(apps);
    }

    /// Returns the places of the applications that run.
    public Set<Place> places() {
        return running().keySet().stream().map(Mount::place).collect(Collectors.toSet());
    }

    /// Returns how often users have logged in; null if there are no users.
    public synchronized @Nullable LoginFigures logins() {
        return container == null ? null : container.loginFigures();
    }

    /// Opens the log files of applications again.
    synchronized void reopenLogs() {
        if (container != null) {
            container.reopenLogs();
        }
    }

    private ServletContainer open() throws IOException {
        ServletContainer.Builder builder =
                ServletContainer.builder()
                        .pages(options.precompile() ? JspPages.precompiling() : new JspPages())
                        .requestTimeLimit(options.requestTimeLimit())
                        .sessions(sessions.options(options.sessions()))
                        .awaitSessions(sessionsMax)
                        .encoding(options.encoding())
                        .formMaxBytes(options.forms().maxBytes())
                        .parametersMax(options.forms().parametersMax())
                        .partsMax(options.forms().partsMax())
                        .loaded(this::isLoaded)
                        .dataSources(new PooledSources());
        @Nullable Path folder = workFolder();
        if (folder != null) {
            builder.workFolder(folder);
        }
        options.sources().forEach(builder::dataSource);
        if (options.dev()) {
            builder.development();
        }
        @Nullable Path users = options.users();
        if (users != null) {
            builder.users(users(users));
        }
        @Nullable Path logs = options.logs();
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

    private static UserStore users(Path file) throws IOException {
        try {
            return UserStore.file(file);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    "There is no users file "
                            + file
                            + ": create it by serval user add "
                            + file
                            + " NAME.",
                    e);
        }
    }

    private boolean isUsable(Path logs) {
        try {
            Files.createDirectories(logs);
        } catch (IOException e) {
            err.println(
                    "serval: The server cannot create the folder for logs of applications "
                            + logs
                            + " ("
                            + e
                            + "), so applications print here: choose another with --app-logs"
                            + " FOLDER.");
            return false;
        }
        return true;
    }

    /// Returns the log files of the applications that were started, in their order.
    public List<Path> logFiles() {
        List<Path> files = new ArrayList<>();
        for (WebApp app : running().values()) {
            @Nullable Path file = app.logFile();
            if (file != null) {
                files.add(file);
            }
        }
        return files;
    }

    /// Returns the mounts without applications that could not be started.
    public List<Mount> started(List<Mount> mounts) {
        List<Mount> served = new ArrayList<>();
        Map<Mount, WebApp> running = running();
        for (Mount mount : mounts) {
            if (!mount.application() || running.containsKey(mount)) {
                served.add(mount);
            }
        }
        return served;
    }

    /// Returns the handlers of an application that was started.
    public Handler[] handlers(Mount mount) {
        @Nullable WebApp app = running().get(mount);
        if (app == null) {
            throw new IllegalArgumentException(mount.path() + " is not an application that runs");
        }
        return handlers(mount.place(), app);
    }

    /// Returns the handlers of an application, which serve its files as is set for its place now.
    Handler[] handlers(Place place, WebApp app) {
        app.serveFiles(files.at(place));
        return app.handlers();
    }

    /// Stops the applications. Stop the server before.
    public void close() {
        @Nullable ServletContainer open;
        synchronized (this) {
            open = container;
            container = null;
        }
        if (open != null) {
            open.close();
        }
        sessions.close();
    }

    /// Returns the folder for unpacked applications: in the user's folder for caches (XDG Base
    /// Directory Specification); null if there is none, so that the container makes a temporary one.
    private static @Nullable Path workFolder() {
        Path caches = UserFolders.caches();
        try {
            return Files.createDirectories(caches).resolve("serval");
        } catch (IOException e) { // such as for a service without a home
            return null;
        }
    }
}
