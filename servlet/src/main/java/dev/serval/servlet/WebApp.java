package dev.serval.servlet;

import dev.serval.file.FileOptions;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.servlet.app.AppSpec;
import dev.serval.servlet.app.Deployment;
import dev.serval.servlet.archive.ContextPath;
import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.FilterDraft;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.ListenerDescription;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.ServletDraft;
import dev.serval.servlet.session.SessionCounters;
import dev.serval.servlet.session.SessionStore;
import dev.serval.servlet.webxml.UrlPattern;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.Servlet;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EventListener;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A running application. A [Builder] declares it, from a WAR, from code, or both.
///
/// ```java
/// try (ServletContainer container = ServletContainer.open();
///         WebApp app = WebApp.at("/shop").servlet("/hello", new Hello()).deploy(container);
///         Serval server = Serval.listen(8080).mount(app.prefix(), app.handlers()).start()) {
///     …
/// }
/// ```
public final class WebApp implements AutoCloseable {
    private static final Origin CODE = Origin.code("WebApp");

    private final Deployment deployment;

    private WebApp(Deployment deployment) {
        this.deployment = deployment;
    }

    /// Returns a builder of an application without files.
    ///
    /// @param contextPath empty for the root, or `/name`; not percent-encoded
    public static Builder at(String contextPath) {
        return new Builder(contextPath, null);
    }

    /// Returns a builder of a WAR, or of a folder that has WEB-INF. Its name decides the context
    /// path: `ROOT.war` is the root, `shop.war` is `/shop`.
    ///
    /// @throws IllegalArgumentException if the name cannot be a context path
    public static Builder of(Path archiveOrFolder) {
        return new Builder(ContextPath.of(archiveOrFolder), archiveOrFolder);
    }

    /// Returns a builder of a WAR or folder at another context path.
    public static Builder of(String contextPath, Path archiveOrFolder) {
        return new Builder(contextPath, archiveOrFolder);
    }

    /// Returns the context path that the name of a WAR or folder asks for; empty for the root.
    ///
    /// @throws IllegalArgumentException if the name cannot be a context path
    public static String contextPathOf(Path archiveOrFolder) {
        return ContextPath.of(archiveOrFolder);
    }

    /// Returns the context path as it was given, not percent-encoded; empty for the root.
    public String contextPath() {
        return deployment.contextPath();
    }

    /// Returns the prefix at which a server must mount the application: `/`, or the context path.
    public String prefix() {
        return contextPath().isEmpty() ? "/" : contextPath();
    }

    /// Returns the handlers that a server must mount at [#prefix].
    public Handler[] handlers() {
        return deployment.handlers().toArray(Handler[]::new);
    }

    /// Changes how its files are served from now on. Mount the [#handlers] again, which are others then.
    ///
    /// @param options as for [Builder#files]
    /// @throws IllegalArgumentException if its files cannot be read any more; then nothing has changed
    public void serveFiles(FileOptions options) {
        deployment.serveFiles(options);
    }

    /// Returns the file of the application's log; null if it has none
    /// ([ServletContainer.Builder#appLogs]).
    public @Nullable Path logFile() {
        return deployment.logFile();
    }

    /// Returns the application's context.
    public ServletContext context() {
        return deployment.context();
    }

    /// Returns the number of requests that are in the application now.
    public int requestsInProgress() {
        return deployment.requestsInProgress();
    }

    /// Returns the number of those that have waited for an event.
    int requestsThatWaited() {
        return deployment.requestsThatWaited();
    }

    /// Returns the number of requests for which the application threw an exception or an error, and
    /// an error page answered. `Counter.HANDLER_FAULTS` counts those that got no complete answer.
    public long faults() {
        return deployment.faults();
    }

    /// Returns the number of sessions.
    public int activeSessions() {
        return deployment.sessions().counters().active();
    }

    /// Returns where the sessions are, and what has happened to them.
    public SessionFigures sessionFigures() {
        SessionStore.Figures now = deployment.sessions().figures();
        SessionCounters counters = deployment.sessions().counters();
        return new SessionFigures(
                now.inMemory(),
                now.stored(),
                counters.refused(),
                counters.endedByFloodRule(),
                counters.lost(),
                counters.failures());
    }

    /// Returns how long the requests of each servlet have taken, by the servlet's name.
    public Map<String, Mapping.Times> times() {
        Map<String, Mapping.Times> times = new TreeMap<>();
        deployment.mappings().forEach((servlet, mapping) -> times.put(servlet, mapping.times()));
        return times;
    }

    /// Stops the application as [#close()] does.
    ///
    /// @param atMost the longest wait for its requests
    public void close(Duration atMost) {
        deployment.close(atMost.toNanos());
    }

    /// Stops the application: waits at most 10 s for its requests, then ends its sessions, servlets,
    /// filters and listeners. Requests that come later are answered with 503.
    @Override
    public void close() {
        deployment.close();
    }

    /// Declares an application. What code declares comes after what its files declare.
    public static final class Builder {
        private final String contextPath;
        private String host = "";
        private final @Nullable Path files;
        private final List<Consumer<AppDraft>> declared = new ArrayList<>();
        private final Set<String> names = new HashSet<>(); // of servlets and filters
        private ClassLoader loader = ownLoader();
        private long timeLimitMillis = -1; // that of the container
        private @Nullable WebApp former;
        private @Nullable SessionOptions sessions;
        private FileOptions served = FileOptions.DEFAULT;

        private Builder(String contextPath, @Nullable Path files) {
            boolean valid =
                    contextPath.isEmpty()
                            || (contextPath.startsWith("/") && !contextPath.endsWith("/"));
            if (!valid) {
                throw new IllegalArgumentException(
                        "A context path is empty or begins with a slash and does not end with one,"
                                + " such as /shop, not \""
                                + contextPath
                                + "\"");
            }
            this.contextPath = ContextPath.ofPrefix(contextPath);
            this.files = files;
        }

        private static ClassLoader ownLoader() {
            @Nullable ClassLoader found = Thread.currentThread().getContextClassLoader();
            return found == null ? ClassLoader.getSystemClassLoader() : found;
        }

        /// Sets the class loader of an application without files. The default is the context class
        /// loader of the calling thread.
        public Builder loader(ClassLoader other) {
            loader = other;
            return this;
        }

        /// Adds a servlet, which also supports asynchronous requests. `@ServletSecurity`,
        /// `@MultipartConfig` and the other annotations of its class count, but not `@WebServlet`.
        ///
        /// @param urlPattern an exact path, `/prefix/*`, `*.extension` or `/`
        /// @throws IllegalArgumentException if the pattern is none of these; [#deploy] also throws
        ///     it if two servlets have one pattern
        public Builder servlet(String urlPattern, Servlet servlet) {
            String name = name(servlet, urlPattern);
            declared.add(draft -> {
                ServletDraft added = draft.servlet(name, CODE);
                added.component(new Component.Instance(servlet), CODE);
                added.asyncSupported(true);
                @Nullable String other = draft.map(urlPattern, added);
                if (other != null) {
                    throw new IllegalArgumentException(
                            "The pattern "
                                    + urlPattern
                                    + " belongs to the servlet "
                                    + other
                                    + " already");
                }
            });
            return this;
        }

        /// Adds a filter for requests from clients, after earlier filters.
        ///
        /// @param urlPattern an exact path, `/prefix/*`, `*.extension` or `/`
        /// @throws IllegalArgumentException if the pattern is none of these
        public Builder filter(String urlPattern, Filter filter) {
            String name = name(filter, urlPattern);
            declared.add(draft -> {
                FilterDraft added = draft.filter(name, CODE);
                added.component(new Component.Instance(filter), CODE);
                added.asyncSupported(true);
                draft.filterMappings()
                        .add(
                                new FilterMapping(
                                        name,
                                        new FilterMapping.Target.Pattern(urlPattern),
                                        Set.of(DispatcherType.REQUEST),
                                        CODE));
            });
            return this;
        }

        /// Returns a name that no other component has, also for objects of one class, such as those
        /// of a lambda.
        private String name(Object component, String urlPattern) {
            try {
                String _ = UrlPattern.check(urlPattern, CODE);
            } catch (DescriptorException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
            String first = component.getClass().getName() + "@" + urlPattern;
            String name = first;
            for (int i = 2; !names.add(name); i++) {
                name = first + "#" + i;
            }
            return name;
        }

        /// Adds a listener, after earlier listeners.
        public Builder listener(EventListener listener) {
            declared.add(draft ->
                    draft.listeners()
                            .add(new ListenerDescription(new Component.Instance(listener), CODE)));
            return this;
        }

        /// Sets how long a request may keep its thread, in place of the limit of the container
        /// ([ServletContainer.Builder#requestTimeLimit]). Zero is no limit.
        ///
        /// @throws IllegalArgumentException if the time is negative or longer than a day
        public Builder requestTimeLimit(Duration limit) {
            timeLimitMillis = ServletContainer.limitMillis(limit);
            return this;
        }

        /// Sets the virtual host that the application belongs to. Applications at the same path of
        /// different hosts have their own logs, sessions and work folders.
        ///
        /// @param name such as `www.example.org`
        public Builder host(String name) {
            host = name;
            return this;
        }

        /// Makes the application the next version of one that runs at the same context path. Deploy
        /// this one, mount its handlers in place of the former ones, and close the former one, which
        /// then completes its requests. Requests that still reach it afterwards go to this one, and
        /// so do its sessions. If this one cannot be deployed, nothing has changed.
        ///
        /// @throws IllegalArgumentException if the context paths differ
        public Builder replacing(WebApp version) {
            if (!version.contextPath().equals(contextPath)) {
                throw new IllegalArgumentException(
                        "An application at \""
                                + contextPath
                                + "\" cannot replace one at \""
                                + version.contextPath()
                                + "\"");
            }
            former = version;
            return this;
        }

        /// Sets how its files are served, in place of [FileOptions#DEFAULT]: types, Cache-Control,
        /// compression, and what is kept in memory. Index files, links and lists do not count: web.xml
        /// names the welcome files.
        public Builder files(FileOptions options) {
            served = options;
            return this;
        }

        /// Sets how sessions are kept, in place of what the container does
        /// ([ServletContainer.Builder#sessions]).
        public Builder sessions(SessionOptions options) {
            sessions = options;
            return this;
        }

        /// Starts the application.
        ///
        /// @throws WebAppException if what it declares is wrong, or its code failed; the message
        ///     says where and why
        /// @throws IOException if its files cannot be read
        public WebApp deploy(ServletContainer container) throws IOException {
            // The application keeps what was declared, so that must not have the former version.
            List<Consumer<AppDraft>> all = List.copyOf(declared);
            AppSpec spec =
                    new AppSpec(
                            host,
                            contextPath,
                            files,
                            loader,
                            timeLimitMillis,
                            sessions == null ? null : sessions.plan(),
                            served,
                            draft -> all.forEach(each -> each.accept(draft)));
            try {
                Deployment started = Deployment.start(container.apps(), spec);
                if (former != null) {
                    former.deployment.succeededBy(started);
                }
                return new WebApp(started);
            } catch (DescriptorException e) {
                throw new WebAppException(e.getMessage() == null ? "" : e.getMessage(), e);
            }
        }
    }
}
