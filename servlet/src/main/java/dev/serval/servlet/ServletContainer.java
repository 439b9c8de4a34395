package dev.serval.servlet;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.app.AppContainer;
import dev.serval.servlet.app.ContainerSettings;
import dev.serval.servlet.app.DeclaredSources;
import dev.serval.servlet.archive.WorkFolder;
import dev.serval.servlet.database.DatabaseOpener;
import dev.serval.servlet.database.DatabaseSettings;
import dev.serval.servlet.log.AppLogs;
import dev.serval.servlet.log.LogLimits;
import dev.serval.servlet.log.RoutedStream;
import dev.serval.servlet.multipart.MultipartBounds;
import dev.serval.servlet.pages.PageEngine;
import dev.serval.servlet.parameter.ParameterLimits;
import dev.serval.servlet.password.LoginCounters;
import dev.serval.servlet.users.Users;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Runs Jakarta Servlet applications on a server. Open it first, deploy applications by
/// [WebApp.Builder#deploy], mount them with `Serval.builder().mount(app.prefix(), app.handlers())`, stop the
/// server, and close the container last, which also stops its applications. Any thread.
public final class ServletContainer implements AutoCloseable {
    private static final Duration LIMIT_MAX = Duration.ofDays(1);
    private static final int PORT_MAX = 65_535;

    private static final System.Logger LOG = System.getLogger(ServletContainer.class.getName());

    private final AppContainer apps;
    private final @Nullable Path temporary; // the work folder, if it was made for this container

    private ServletContainer(AppContainer apps, @Nullable Path temporary) {
        this.apps = apps;
        this.temporary = temporary;
    }

    /// Opens a container with a temporary work folder, so that archives are unpacked at every start.
    /// [#close] deletes the folder.
    ///
    /// @throws IOException if the folder cannot be created
    public static ServletContainer open() throws IOException {
        return builder().open();
    }

    /// Opens a container.
    ///
    /// @param workFolder keeps unpacked applications between starts, and uploads while they are
    ///     read; created if missing; several servers of one user may share it. It must belong to
    ///     the user of this process, as [Builder#workFolder] says
    /// @throws IOException if the folder cannot be created or written, or others could write there
    public static ServletContainer open(Path workFolder) throws IOException {
        return builder().workFolder(workFolder).open();
    }

    /// Returns a builder of a container with other settings.
    public static Builder builder() {
        return new Builder();
    }

    /// Returns a stream for `System.setOut` or `System.setErr` of a program whose applications have
    /// log files. What an application prints on its threads goes to its log, and everything else to
    /// `real`. Set it before the first message is logged, so that the JDK's logging uses it too.
    public static PrintStream routed(PrintStream real) {
        return new RoutedStream(real);
    }

    AppContainer apps() {
        return apps;
    }

    /// Returns how often users have logged in, or have tried to; null if the server has no users.
    public @Nullable LoginFigures loginFigures() {
        @Nullable LoginCounters counters = apps.logins();
        return counters == null
                ? null
                : new LoginFigures(
                        counters.accepted(),
                        counters.cached(),
                        counters.rejected(),
                        counters.slowed(),
                        counters.refused(),
                        counters.replayed());
    }

    /// Opens the log files of applications again, after a program has moved them. The next text that
    /// an application prints creates a new file.
    public void reopenLogs() {
        apps.reopenLogs();
    }

    /// Stops the applications that still run, and deletes a temporary work folder. Stop the server
    /// before.
    @Override
    public void close() {
        try {
            apps.close();
        } finally {
            if (temporary != null) {
                deleteTemporary(temporary);
            }
        }
    }

    private static void deleteTemporary(Path folder) {
        try {
            WorkFolder.delete(folder);
        } catch (IOException e) {
            LOG.log(WARNING, "The temporary work folder " + folder + " stays", e);
        }
    }

    /// Chooses the settings of a container.
    public static final class Builder {
        private @Nullable Path workFolder;
        private boolean showsFaults;
        private long timeLimitMillis;
        private @Nullable Path logFolder;
        private @Nullable PrintStream logEcho;
        private @Nullable Users users;
        private int httpsPort;
        private @Nullable PageEngine pages;
        private SessionOptions sessions = SessionOptions.memory();
        private Duration folderPatience = Duration.ZERO;
        private @Nullable Charset encoding = StandardCharsets.UTF_8;
        private ParameterLimits parameters = ParameterLimits.DEFAULT;
        private MultipartBounds parts = MultipartBounds.DEFAULT;
        private @Nullable DatabaseOpener sourceFactory;
        private BooleanSupplier loaded = () -> false;
        private final List<DatabaseSettings> sources = new ArrayList<>();

        private Builder() {}

        /// Sets the folder that keeps unpacked applications between starts, and uploads while they
        /// are read. It is created if missing, and several servers of one user may share it. Without
        /// it, archives are unpacked at every start, into a temporary folder.
        ///
        /// The server runs code from this folder. So it must be a folder, not a link, that belongs
        /// to the user of this process and where no other user can write. If others can read it,
        /// their permissions are taken away.
        public Builder workFolder(Path folder) {
            workFolder = folder;
            return this;
        }

        /// Shows clients why a request failed.
        public Builder development() {
            showsFaults = true;
            return this;
        }

        /// Sets how long a request may keep its thread; an application may have a limit of its own
        /// ([WebApp.Builder#requestTimeLimit]). After this time the client gets 503, or its
        /// connection is closed if the response has begun. The thread is interrupted, and the log
        /// shows where it was. The default, and zero, is no limit.
        ///
        /// @throws IllegalArgumentException if the time is negative or longer than a day
        public Builder requestTimeLimit(Duration limit) {
            timeLimitMillis = limitMillis(limit);
            return this;
        }

        /// Makes a log file for each application in `folder`, such as `shop.log`, with what
        /// `ServletContext.log` and the container write. With [ServletContainer#routed], it also gets
        /// what the application prints. A file has at most 10 MiB, and the last five are kept.
        public Builder appLogs(Path folder) {
            logFolder = folder;
            return this;
        }

        /// Makes log files as [#appLogs(Path)] does, and prints everything to `echo` too.
        public Builder appLogs(Path folder, PrintStream echo) {
            logFolder = folder;
            logEcho = echo;
            return this;
        }

        /// Sets the users who may log in to the applications. Without users, protected paths are
        /// refused.
        public Builder users(UserStore store) {
            users = store instanceof StoredUsers own ? own.users() : new OtherUsers(store);
            return this;
        }

        /// Sets the port to which requests are redirected whose `transport-guarantee` asks for
        /// encryption. By default they are refused with 403.
        ///
        /// @throws IllegalArgumentException if it is not from 1 to 65535
        public Builder httpsPort(int port) {
            if (port < 1 || port > PORT_MAX) {
                throw new IllegalArgumentException("A port is from 1 to 65535, not " + port);
            }
            httpsPort = port;
            return this;
        }

        /// Sets the engine for JSP pages, such as `new JspPages()` of the module serval-jsp. Without
        /// one, a request for a page is answered with 501.
        public Builder pages(PageEngine engine) {
            pages = engine;
            return this;
        }

        /// Sets how sessions are kept; an application may have its own way
        /// ([WebApp.Builder#sessions]). The default is [SessionOptions#memory].
        public Builder sessions(SessionOptions options) {
            sessions = options;
            return this;
        }

        /// Lets applications start although a server that ends soon still has their sessions in
        /// files: the predecessor of this process. Requests that need a session wait until it has
        /// stored them. The default, and zero, is to refuse such applications. Their logs continue in
        /// the files of the predecessor as soon as that has ended.
        ///
        /// @param atMost how long they wait
        public Builder awaitSessions(Duration atMost) {
            folderPatience = atMost;
            return this;
        }

        /// Sets what tells whether the server is loaded, such as
        /// `() -> server.load().mode().compareTo(LoadMode.HEAVY) >= 0`. Meanwhile, sessions whose id no
        /// request has returned end after 10 s, and not after 60 s. The default is that it never is.
        public Builder loaded(BooleanSupplier heavily) {
            loaded = heavily;
            return this;
        }

        /// Sets the charset of requests and responses for which neither the application nor the
        /// client names one, and of JSP pages that name none. The default is UTF-8. An application
        /// chooses another by `request-character-encoding` and `response-character-encoding` in
        /// web.xml, or by the setters of its ServletContext.
        ///
        /// @param charset null for the defaults of the specification: the getters of ServletContext
        ///     and request return null, and text that is no form is ISO-8859-1
        public Builder encoding(@Nullable Charset charset) {
            encoding = charset;
            return this;
        }

        /// Sets how many parameters a request may have, of query and form together. The default is
        /// 1,000. Past it, `getParameter` throws.
        ///
        /// @throws IllegalArgumentException if it is not from 1 to 1,048,576
        public Builder parametersMax(int most) {
            parameters = new ParameterLimits(most, parameters.formMaxBytes());
            return this;
        }

        /// Sets the most content of a form, or text of multipart content, that becomes parameters.
        /// The default is 2 MiB. Past it, `getParameter` throws.
        ///
        /// @throws IllegalArgumentException if it is not from 1 byte to 256 MiB
        public Builder formMaxBytes(int most) {
            parameters = new ParameterLimits(parameters.parametersMax(), most);
            return this;
        }

        /// Sets how many parts multipart content may have. The default is 50. Past it, `getParts`
        /// throws.
        ///
        /// @throws IllegalArgumentException if it is not from 1 to 65,536
        public Builder partsMax(int most) {
            parts = new MultipartBounds(most, parts.headMaxBytes(), parts.paddingMaxBytes());
            return this;
        }

        /// Sets who opens the data sources that applications declare in web.xml (`data-source`) or
        /// that [#dataSource] gives them. Without a factory, such applications do not start.
        public Builder dataSources(DatabaseOpener factory) {
            sourceFactory = factory;
            return this;
        }

        /// Gives a data source to every application, in place of one that it declares by this name.
        public Builder dataSource(DatabaseSettings settings) {
            sources.add(settings);
            return this;
        }

        /// Opens the container.
        ///
        /// @throws IOException if the work folder cannot be created or written, or others could
        ///     write there
        public ServletContainer open() throws IOException {
            if (workFolder != null) {
                return open(workFolder, null);
            }
            Path temporary = Files.createTempDirectory("serval-");
            try {
                return open(temporary, temporary);
            } catch (Throwable e) {
                deleteTemporary(temporary);
                throw e;
            }
        }

        private ServletContainer open(Path folder, @Nullable Path temporary) throws IOException {
            @Nullable String version =
                    ServletContainer.class.getPackage().getImplementationVersion();
            String server = version == null ? "Serval" : "Serval/" + version;
            try {
                Files.createDirectories(folder.toAbsolutePath().getParent());
                return new ServletContainer(
                        new AppContainer(
                                new ContainerSettings(
                                        folder,
                                        server,
                                        showsFaults,
                                        timeLimitMillis,
                                        logs(),
                                        users,
                                        httpsPort,
                                        pages,
                                        new DeclaredSources(sourceFactory, sources),
                                        sessions.plan(),
                                        folderPatience,
                                        encoding == null ? null : encoding.name(),
                                        parameters,
                                        parts,
                                        loaded)),
                        temporary);
            } catch (FileSystemException e) { // its message may be a path alone
                throw new IOException(
                        "The work folder "
                                + folder
                                + " cannot be created or written ("
                                + e
                                + "): let this user write there, or choose another; serval run takes"
                                + " the one in XDG_CACHE_HOME",
                        e);
            }
        }

        private @Nullable AppLogs logs() {
            return logFolder == null
                    ? null
                    : new AppLogs(logFolder, LogLimits.STANDARD, logEcho, !folderPatience.isZero());
        }
    }

    /// Checks a time limit, and returns it in milliseconds.
    static long limitMillis(Duration limit) {
        if (limit.isNegative() || limit.compareTo(LIMIT_MAX) > 0) {
            throw new IllegalArgumentException(
                    "The time limit of requests is from 0 to 24 hours, not " + limit);
        }
        return limit.isZero() ? 0 : Math.max(1, limit.toMillis());
    }
}
