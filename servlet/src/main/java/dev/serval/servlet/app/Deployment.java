package dev.serval.servlet.app;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.file.Links;
import dev.serval.handler.Handler;
import dev.serval.handler.Mapping;
import dev.serval.handler.Route;
import dev.serval.http.FieldName;
import dev.serval.http.RequestHead;
import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.cookie.RequestCookies;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.dispatch.RequestHost;
import dev.serval.servlet.files.DeployedFiles;
import dev.serval.servlet.files.FileServlet;
import dev.serval.servlet.files.WelcomeFiles;
import dev.serval.servlet.files.WelcomeMemory;
import dev.serval.servlet.loader.AppClassLoader;
import dev.serval.servlet.loader.Leak;
import dev.serval.servlet.loader.LeakReport;
import dev.serval.servlet.log.AppLog;
import dev.serval.servlet.log.FileLogger;
import dev.serval.servlet.map.Match;
import dev.serval.servlet.session.Sessions;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// One application from its start to its end.
///
/// ```
///   RUNNING ── close ──▶ STOPPING ── requests are out, or the time is over ──▶ STOPPED
/// ```
///
/// A version that was replaced passes the requests that come while it stops on to the next one.
public final class Deployment implements RequestHost, AutoCloseable {
    private static final long STOP_NANOS = 10_000_000_000L;
    private static final long LOOK_NANOS = 2_000_000;

    /// How long requests that waited may take for their end, after they were told of it.
    private static final long END_NANOS = 1_000_000_000L;

    private enum State {
        RUNNING,
        STOPPING,
        STOPPED
    }

    /// A version as those before it see it. Once it has ended, it is only the way to the version after
    /// it: what still has a former version, such as a connection, keeps no later one that has ended.
    private static final class Succession {
        private volatile @Nullable Deployment version;
        private volatile @Nullable Succession next;

        private Succession(Deployment version) {
            this.version = version;
        }

        private void end(@Nullable Succession after) {
            next = after;
            version = null;
        }
    }

    /// The handlers, and how they serve files.
    private record Chain(FileOptions served, List<Handler> handlers) {}

    private final AppContainer container;
    private final String contextPath;
    private final String address;
    private final System.Logger log;
    private final List<AutoCloseable> opened;
    private final long timeLimitMillis;
    private final AppStart.Started app;
    private final AppHandler first;
    private volatile Chain chain; // written under the lock
    private final AtomicLong faults = new AtomicLong();
    private final Set<AutoCloseable> upgraded = ConcurrentHashMap.newKeySet();
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private @Nullable AppLog logFile; // set before it is shared
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile State state = State.RUNNING;
    private volatile long drainEndNanos; // while it stops
    private volatile boolean drained; // its time is over
    private volatile @Nullable Thread closing; // while it stops
    private final Succession own = new Succession(this);
    private volatile @Nullable Succession successor;

    private Deployment(
            AppContainer container,
            AppSpec spec,
            System.Logger log,
            List<AutoCloseable> opened,
            AppStart.Started app) {
        this.container = container;
        this.contextPath = spec.contextPath();
        this.address = spec.address();
        this.timeLimitMillis = container.timeLimitMillis(spec);
        this.log = log;
        this.opened = opened;
        this.app = app;
        @Nullable DeployedFiles files = app.files();
        this.first =
                new AppHandler(
                        this,
                        app.routes(),
                        app.guard(),
                        new WelcomeFiles(
                                files == null ? List.of() : app.description().welcomeFiles(),
                                path -> files == null ? null : files.file(path)),
                        new WelcomeMemory(System::nanoTime));
        this.chain = chain(spec.served());
    }

    /// Starts an application.
    ///
    /// @throws DescriptorException if what it declares is wrong, or its code failed; the message
    ///   says where and why
    /// @throws IOException if its files cannot be read
    public static Deployment start(AppContainer container, AppSpec spec)
            throws DescriptorException, IOException {
        String name = spec.name();
        String logName = "app." + name.replace('/', '.');
        List<AutoCloseable> opened = new ArrayList<>();
        @Nullable AppLog file = container.openLog(name.replace('/', '#'));
        System.Logger log =
                file == null
                        ? System.getLogger(logName)
                        : new FileLogger(
                                logName, file, InstantSource.system(), ZoneId.systemDefault());
        if (file != null) {
            opened.add(file);
        }
        try {
            AppStart.Started app = new AppStart(container, spec, log, file, opened).start();
            boolean whole = false;
            try {
                Deployment deployment = new Deployment(container, spec, log, opened, app);
                deployment.logFile = file;
                container.add(deployment);
                whole = true;
                return deployment;
            } finally {
                if (!whole) { // its listeners and servlets have begun
                    app.lifecycle().stop(app.sessions()::close);
                }
            }
        } catch (DescriptorException | IOException | RuntimeException | Error e) {
            closeAll(opened, log);
            throw e;
        }
    }

    /// Returns the context path, not percent-encoded; empty for the root.
    public String contextPath() {
        return contextPath;
    }

    /// Returns the host and the context path.
    String address() {
        return address;
    }

    /// Returns the file of the application's log; null if it has none.
    public @Nullable Path logFile() {
        @Nullable AppLog written = logFile;
        return written == null ? null : written.path();
    }

    /// Returns the application's context.
    public ServletContext context() {
        return app.context();
    }

    /// Returns the handlers of the application, in the order in which they receive its requests.
    public List<Handler> handlers() {
        return chain.handlers;
    }

    /// Changes how the files are served: there are other [#handlers] then, and those before stay as they
    /// are. Reads the disk.
    ///
    /// @param options their index files, links and lists do not count
    /// @throws IllegalArgumentException if the files cannot be read any more; then nothing has changed
    public synchronized void serveFiles(FileOptions options) {
        if (!options.equals(chain.served)) {
            chain = chain(options);
        }
    }

    private Chain chain(FileOptions served) {
        @Nullable DeployedFiles files = app.files();
        List<String> welcome = app.description().welcomeFiles();
        List<Handler> all = new ArrayList<>();
        all.add(first);
        if (files != null) {
            List<String> indexNames =
                    welcome.stream().filter(name -> name.indexOf('/') < 0).toList();
            FileOptions options =
                    served.with(draft -> {
                        draft.indexNames = indexNames;
                        draft.types = types(served.types());
                        draft.links = Links.INSIDE;
                        draft.listing = false;
                    });
            for (Path root : files.files().roots()) {
                all.add(FileHandler.of(root, options));
            }
        }
        all.add(first.missing());
        return new Chain(served, List.copyOf(all));
    }

    /// Returns the media types of files: those of web.xml go before those of the server's configuration.
    /// A dot or slash is in no extension, and a field can have only what is a media type.
    private Map<String, String> types(Map<String, String> configured) {
        Map<String, String> all = new HashMap<>(configured);
        app.description()
                .mediaTypes()
                .forEach((extension, type) -> {
                    if (extension.matches("[^./]+") && FileOptions.isType(type)) {
                        all.put(extension, type);
                    }
                });
        return all;
    }

    /// Names the version that gets the sessions, each when it asks for it, and the requests which
    /// come after the end of this one. Call it before that version gets requests.
    public void succeededBy(Deployment version) {
        version.app.sessions().follow(app.sessions());
        successor = version.own;
    }

    /// Returns the version that replaces this one, with the handlers that it has now; null if there is
    /// none.
    AppHandler.@Nullable Successor successor() {
        @Nullable Deployment next = null;
        for (@Nullable Succession each = successor;
                each != null && next == null;
                each = each.next) {
            next = each.version;
        }
        return next == null
                ? null
                : new AppHandler.Successor(
                        new Route(contextPath.isEmpty() ? "/" : contextPath, next.handlers()),
                        next.first);
    }

    /// Returns the number of requests that failed in the application and got an answer all the same.
    public long faults() {
        return faults.get();
    }

    /// Returns the number of requests that are in the application now.
    public int requestsInProgress() {
        return app.scope().inside();
    }

    /// Returns the number of requests in the application that have waited for an event.
    public int requestsThatWaited() {
        return waiting.size();
    }

    /// Returns the sessions, for their figures and counters.
    public Sessions sessions() {
        return app.sessions();
    }

    /// Returns what the engine knows about the code of each servlet, by the servlet's name.
    public Map<String, Mapping> mappings() {
        return app.routes().profiles();
    }

    /// Returns whether the application takes requests.
    boolean isRunning() {
        return state == State.RUNNING;
    }

    /// Returns whether a servlet is the one that serves files.
    static boolean isDefault(ServletSlot slot) {
        // By its declaration, because the servlet is created with the first request for it.
        return slot.description().component() instanceof Component.Instance own
                && own.object() instanceof FileServlet;
    }

    /// Returns whether a path is that of a folder whose welcome file may answer (Servlet 6.1 §10.10): only
    /// the servlet of files takes it, or the pattern `/`, whoever has that.
    static boolean isFolder(Match<ServletSlot> match) {
        return match.path().endsWith("/")
                && (match.mapping().getMappingMatch() == MappingMatch.DEFAULT
                        || isDefault(match.servlet()));
    }

    /// Returns whether listeners learn of every request.
    boolean listensToRequests() {
        return app.context().listeners().listenToRequests();
    }

    /// Records that a request for a file belongs to a session, as if it had asked for the session. For
    /// the loop.
    ///
    /// @return whether that is done; if not, a Worker must do it
    boolean touchSession(RequestHead head) {
        if (!head.fields().contains(FieldName.COOKIE)) {
            return true;
        }
        String name = app.routes().scope().sessionCookie().name();
        return app.sessions().touch(RequestCookies.values(head.fields(), name));
    }

    /// Ends sessions that are overdue. For the container's timer.
    void tick() {
        if (state != State.RUNNING) {
            return; // its sessions move to the next version, or end
        }
        try {
            app.sessions().tick(System.nanoTime());
        } catch (RuntimeException | Error e) {
            log.log(WARNING, "Serval failed to end the sessions of the application", e);
        }
    }

    // RequestHost

    @Override
    public boolean showsFaults() {
        return container.showsFaults();
    }

    @Override
    public boolean enter() {
        app.scope().enter();
        if (state == State.RUNNING) {
            return true;
        }
        app.scope().leave();
        return false;
    }

    @Override
    public void leave() {
        app.scope().leave();
    }

    @Override
    public void countFault() {
        faults.incrementAndGet();
    }

    @Override
    public boolean hold(AutoCloseable connection) {
        upgraded.add(connection);
        return state == State.RUNNING; // read after the addition: else close sees it
    }

    @Override
    public void release(AutoCloseable connection) {
        upgraded.remove(connection);
    }

    @Override
    public boolean hold(Waiting request) {
        waiting.add(request);
        return !drained; // read after the addition: else endWaiting sees it
    }

    @Override
    public void release(Waiting request) {
        waiting.remove(request);
    }

    @Override
    public Supplier<String> requestIds() {
        return container.requestIds();
    }

    @Override
    public long timeLimitMillis() {
        return timeLimitMillis;
    }

    @Override
    public Future<?> timer(Runnable task, long afterMillis) {
        return container.timer(task, afterMillis);
    }

    /// Stops the application as [#close(long)] does, within 10 s.
    @Override
    public void close() {
        close(STOP_NANOS);
    }

    /// Stops the application: waits for its requests, then calls its listeners and closes its
    /// files. If another thread is stopping it, waits for that thread, which then waits no longer for
    /// requests than this call allows.
    ///
    /// @param atMostNanos the longest wait for requests
    public void close(long atMostNanos) {
        long end = System.nanoTime() + atMostNanos;
        boolean first;
        synchronized (this) {
            first = state == State.RUNNING;
            if (first || end - drainEndNanos < 0) {
                drainEndNanos = end;
            }
            if (first) {
                state = State.STOPPING;
                closing = Thread.currentThread();
            }
        }
        if (first) {
            stop();
        } else if (!Thread.currentThread().equals(closing)) { // as a listener's call would be
            awaitStopped(atMostNanos + STOP_NANOS);
        }
    }

    private void awaitStopped(long atMostNanos) {
        try {
            if (!stopped.await(atMostNanos, TimeUnit.NANOSECONDS)) {
                log.log(WARNING, "The application has not stopped yet: its listeners still run.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the caller does not want to wait
        }
    }

    private void stop() {
        try {
            stopAll();
        } finally {
            closing = null;
            own.end(successor);
            container.forget(this);
            stopped.countDown();
        }
    }

    private void stopAll() {
        container.hide(this);
        closeAll(List.copyOf(upgraded));
        while (requestsInProgress() > 0 && System.nanoTime() - drainEndNanos < 0) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        drained = true;
        endWaiting();
        if (requestsInProgress() > 0) {
            log.log(
                    WARNING,
                    requestsInProgress()
                            + " requests still run in the application; it stops without them.");
        }
        handOver();
        app.lifecycle().stop(app.sessions()::close);
        // Data sources may have threads and drivers of the application until they are closed.
        int loader = opened.indexOf(app.context().getClassLoader());
        closeAll(opened.subList(loader + 1, opened.size()));
        reportLeaks();
        closeAll(opened.subList(0, loader + 1));
        state = State.STOPPED;
        log.log(DEBUG, "The application " + name() + " has stopped.");
    }

    /// Ends the requests that wait for an event, some for ever, such as streams of events. They would
    /// keep the application in memory. Those that do not end by a timeout are aborted.
    private void endWaiting() {
        end(Waiting::timeOut);
        end(Waiting::abort);
    }

    private void end(Consumer<Waiting> how) {
        long end = System.nanoTime() + END_NANOS;
        while (!waiting.isEmpty() && System.nanoTime() - end < 0) {
            waiting.forEach(how); // again and again, because each may have begun to wait again
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    /// Gives the sessions to the next version. Their values run code of this one meanwhile.
    private void handOver() {
        Thread thread = Thread.currentThread();
        @Nullable ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(app.context().getClassLoader());
        try {
            app.sessions().handOver();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private String name() {
        return contextPath.isEmpty() ? "/" : contextPath;
    }

    private void reportLeaks() {
        if (!(app.context().getClassLoader() instanceof AppClassLoader loader)) {
            return;
        }
        LeakReport report = LeakReport.of(loader, container.loadersBut(loader));
        for (String note : report.notes()) {
            log.log(INFO, "The search for what the application left behind was limited. " + note);
        }
        for (Leak leak : report.leaks()) {
            log.log(WARNING, "The application left something behind. " + leak);
        }
    }

    private void closeAll(List<AutoCloseable> all) {
        closeAll(all, log);
    }

    private static void closeAll(List<AutoCloseable> all, System.Logger log) {
        for (AutoCloseable one : all.reversed()) {
            try {
                one.close();
            } catch (Exception e) {
                log.log(WARNING, "Serval failed to close a resource of the application", e);
            }
        }
    }
}
