package dev.serval.servlet.app;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.file.MediaTypes;
import dev.serval.http.PercentEncoding;
import dev.serval.servlet.archive.TemporaryFolder;
import dev.serval.servlet.archive.UnpackedApp;
import dev.serval.servlet.assembly.AppReader;
import dev.serval.servlet.assembly.AssembledApp;
import dev.serval.servlet.context.AppContext;
import dev.serval.servlet.context.AppLifecycle;
import dev.serval.servlet.context.ContextFacts;
import dev.serval.servlet.context.HandledTypes;
import dev.serval.servlet.context.Initializers;
import dev.serval.servlet.context.ServletSlot;
import dev.serval.servlet.context.Surroundings;
import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.AppOptions;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.JspDescription;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.ServletDraft;
import dev.serval.servlet.dispatch.AppRoutes;
import dev.serval.servlet.files.DeployedFiles;
import dev.serval.servlet.files.DeployedSource;
import dev.serval.servlet.files.FileServlet;
import dev.serval.servlet.files.JarFiles;
import dev.serval.servlet.files.NoFiles;
import dev.serval.servlet.files.WelcomeFiles;
import dev.serval.servlet.inject.AppNaming;
import dev.serval.servlet.inject.ComponentFactory;
import dev.serval.servlet.inject.DeclaredNames;
import dev.serval.servlet.inject.EnvValues;
import dev.serval.servlet.inject.Environment;
import dev.serval.servlet.kept.KeptSessions;
import dev.serval.servlet.kept.SessionPlan;
import dev.serval.servlet.kept.SessionStart;
import dev.serval.servlet.loader.AppClassLoader;
import dev.serval.servlet.log.AppLog;
import dev.serval.servlet.map.Match;
import dev.serval.servlet.multipart.Spool;
import dev.serval.servlet.pages.PageSetup;
import dev.serval.servlet.request.ContentReading;
import dev.serval.servlet.scan.ClassFiles;
import dev.serval.servlet.scan.ClassHierarchy;
import dev.serval.servlet.security.AppGuard;
import dev.serval.servlet.security.SecurityPlan;
import dev.serval.servlet.session.JvmHeap;
import dev.serval.servlet.session.SessionClock;
import dev.serval.servlet.session.SessionSetup;
import dev.serval.servlet.session.SessionTracking;
import dev.serval.servlet.session.Sessions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Starts one application: files, class loader, declarations, context, initializers, listeners,
/// filters, servlets. Used once, by the thread that deploys. What it has opened when a step fails
/// is in [#opened], for the caller to close.
final class AppStart {
    /// The name that other servers give the default servlet, too, because applications look it up.
    static final String DEFAULT_SERVLET = "default";

    private static final String HOST = "localhost";
    private static final long SPOOL_MAX_BYTES = 1L << 30;
    private static final List<String> WELCOME = List.of("index.html", "index.htm", "index.jsp");

    /// An application that has started.
    ///
    /// @param description what it declares, with everything that code added
    /// @param scope the application as its requests see it
    /// @param routes its servlets
    /// @param guard checks its requests
    /// @param files its files; null if it has none
    record Started(
            AppDescription description,
            AppContext context,
            AppLifecycle lifecycle,
            DeployedScope scope,
            AppRoutes routes,
            Sessions sessions,
            AppGuard guard,
            @Nullable DeployedFiles files) {}

    private final AppContainer container;
    private final AppSpec spec;
    private final System.Logger log;
    private final @Nullable AppLog logFile;
    private final List<AutoCloseable> opened;
    private final LateDispatchers dispatchers = new LateDispatchers(this::declares);
    private volatile Function<String, @Nullable String> welcome = _ -> null; // path of a folder's
    private @Nullable DeployedFiles files;
    private AppDraft draft = new AppDraft();
    private ClassLoader loader;
    private List<Path> sources = List.of();
    private List<Path> libraries = List.of();
    private @Nullable UnpackedApp unpacked;
    private HandledTypes handled = _ -> Set.of();
    private @Nullable List<String> orderedLibs;

    AppStart(
            AppContainer container,
            AppSpec spec,
            System.Logger log,
            @Nullable AppLog logFile,
            List<AutoCloseable> opened) {
        this.container = container;
        this.spec = spec;
        this.log = log;
        this.logFile = logFile;
        this.opened = opened;
        this.loader = spec.loader();
    }

    Started start() throws DescriptorException, IOException {
        @Nullable Path path = spec.files();
        if (path != null) {
            read(path);
        }
        addEncodings();
        spec.declared().accept(draft);
        SecurityPlan.check(draft.security().login());
        SessionPlan plan = sessionPlan();
        addDefaults();
        Path temporary = temporaryFolder();
        Environment environment =
                DeclaredNames.of(draft.naming(), !draft.options().metadataComplete());
        AppNaming naming = naming(environment);
        if (loader instanceof AppClassLoader own) {
            own.setNaming(naming);
            container.warnOfNaming(log);
        }
        PageStart pages = new PageStart(container.pages(), log);
        ComponentFactory components =
                new ComponentFactory(loader, environment, naming, log, pages::servlet);
        openPages(pages, components);
        AppContext context = context(components, temporary);
        AppLifecycle lifecycle = new AppLifecycle(context, draft, components, System::nanoTime);
        pages.beforeStart(context);
        AppDescription app =
                lifecycle.start(
                        new Initializers(List.of(), sources, handled, components, loader, log),
                        pages.listeners());
        handled = _ -> Set.of(); // this object lives on, but the facts of all classes need not
        try {
            pages.started(context);
            Spool spool = Spool.open(temporary.resolve("uploads"), SPOOL_MAX_BYTES);
            opened.add(spool);
            Sessions sessions =
                    sessions(
                            context,
                            app,
                            new SessionStart(
                                    plan, container.vaults(), spec.name(), loader, temporary, log));
            AppGuard guard =
                    container
                            .security(spec.name(), log)
                            .guard(app, context.security(), context.declaredRoles());
            DeployedScope scope =
                    new DeployedScope(
                            context, app, components, sessions, reading(spool, temporary), guard);
            AppRoutes started = routes(scope, app, lifecycle);
            dispatchers.started(started);
            return new Started(app, context, lifecycle, scope, started, sessions, guard, files);
        } catch (IOException | DescriptorException | RuntimeException | Error e) {
            lifecycle.stop(() -> {});
            throw e;
        }
    }

    /// Returns where sessions are kept. If the plan has a timeout, it replaces the application's.
    private SessionPlan sessionPlan() {
        SessionPlan plan = container.sessionPlan(spec);
        if (plan.timeoutMinutes() >= 0) {
            draft.options().sessionTimeoutMinutes(plan.timeoutMinutes());
        }
        return plan;
    }

    /// Opens the JSP pages, which only an application with files can have.
    private void openPages(PageStart pages, ComponentFactory components)
            throws DescriptorException {
        @Nullable UnpackedApp present = unpacked;
        if (present == null) {
            return;
        }
        opened.add(pages);
        pages.open(
                draft,
                new PageSetup(
                        spec.name(),
                        loader,
                        present.root(),
                        libraries,
                        draft.jsp().taglibs().stream()
                                .map(JspDescription.Taglib::location)
                                .toList(),
                        List.copyOf(PageStart.patterns(draft.jsp())),
                        container.folder(),
                        present.key(),
                        container.showsFaults(),
                        new TagComponents(components),
                        this::guarded,
                        log));
    }

    private byte[] guarded(byte[] classFile) {
        return loader instanceof AppClassLoader own ? own.guardedPage(classFile) : classFile;
    }

    private AppNaming naming(Environment environment) throws DescriptorException {
        return EnvValues.naming(
                spec.name(),
                environment,
                container.sources().open(draft.naming(), loader, opened),
                loader);
    }

    /// Sets the charsets that the application does not declare. Its code may still set others.
    private void addEncodings() {
        AppOptions options = draft.options();
        if (options.requestEncoding() == null) {
            options.requestEncoding(container.encoding());
        }
        if (options.responseEncoding() == null) {
            options.responseEncoding(container.encoding());
        }
    }

    private void read(Path path) throws DescriptorException, IOException {
        UnpackedApp app = container.work().prepare(path, warning -> log.log(WARNING, warning));
        unpacked = app;
        opened.add(app);
        List<Path> jars = app.jars();
        AssembledApp assembled =
                new AppReader(container.scan(), container.scans())
                        .read(new DeployedSource(app.root(), jars));
        assembled.warnings().forEach(warning -> log.log(WARNING, warning));
        draft = assembled.draft();
        List<Path> ordered = paths(assembled.jars());
        List<Path> all = new ArrayList<>(ordered);
        all.addAll(paths(assembled.excluded())); // their classes stay visible (§8.2.2)
        libraries = List.copyOf(all);
        Path classes = app.root().resolve("WEB-INF/classes");
        AppClassLoader opening = AppClassLoader.open(spec.name(), classes, all, container.api());
        opened.add(opening);
        if (logFile != null) {
            opening.setLog(logFile);
        }
        loader = opening;
        files = new DeployedFiles(app.files(all), log); // of excluded jars, too (§4.6)
        sources = new ArrayList<>(ordered);
        if (Files.isDirectory(classes)) {
            sources.addFirst(classes);
        }
        if (assembled.ordered()) {
            orderedLibs = ordered.stream().map(jar -> String.valueOf(jar.getFileName())).toList();
        }
        handled = types -> classesFor(assembled, types);
    }

    private static List<Path> paths(List<ClassFiles> jars) {
        return jars.stream()
                .filter(JarFiles.class::isInstance)
                .map(JarFiles.class::cast)
                .map(JarFiles::jar)
                .toList();
    }

    private Set<String> classesFor(AssembledApp assembled, Class<?>[] types) {
        Set<String> names = Arrays.stream(types).map(Class::getName).collect(Collectors.toSet());
        try {
            ClassHierarchy hierarchy = assembled.classes().hierarchy(this::outside);
            return hierarchy.handled(names);
        } catch (IOException e) {
            log.log(
                    WARNING,
                    "Serval failed to read the application's classes, so @HandlesTypes finds none",
                    e);
            return Set.of();
        }
    }

    /// Returns the file of a class that is not the application's: of the JDK or the Jakarta API.
    private byte @Nullable [] outside(String path) throws IOException {
        try (@Nullable InputStream in = container.api().getResourceAsStream(path)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    private void addDefaults() {
        ServletDraft servlet = draft.servlet(DEFAULT_SERVLET, Origin.code("Serval"));
        if (servlet.component() == null) { // also if the application maps it, as it may
            servlet.component(
                    new Component.Instance(
                            new FileServlet(() -> files, folder -> welcome.apply(folder))),
                    Origin.code("Serval"));
            servlet.asyncSupported(true);
        }
        if (draft.welcomeFiles().isEmpty() && !draft.options().welcomeList()) {
            draft.welcomeFiles().addAll(WELCOME);
        }
    }

    private AppRoutes routes(DeployedScope scope, AppDescription app, AppLifecycle lifecycle) {
        @Nullable DeployedFiles own = files;
        WelcomeFiles names =
                own == null
                        ? new WelcomeFiles(List.of(), _ -> null)
                        : new WelcomeFiles(app.welcomeFiles(), own::file);
        AppRoutes routes =
                new AppRoutes(
                        scope,
                        scope.context(),
                        app,
                        lifecycle,
                        DEFAULT_SERVLET,
                        (all, match) -> ofFolder(all, match, names));
        welcome =
                folder -> {
                    WelcomeFiles.@Nullable Answer found = names.find(routes, folder);
                    return found == null ? null : found.path();
                };
        return routes;
    }

    /// Returns the servlet that takes the welcome file of a folder; null if the path is none, or if none
    /// does.
    private static @Nullable Match<ServletSlot> ofFolder(
            AppRoutes routes, Match<ServletSlot> match, WelcomeFiles names) {
        WelcomeFiles.@Nullable Answer found =
                Deployment.isFolder(match) ? names.find(routes, match.path()) : null;
        return found == null ? null : found.servlet();
    }

    private Path temporaryFolder() throws IOException {
        TemporaryFolder folder = container.work().temporary(spec.name());
        opened.add(folder);
        return folder.path();
    }

    private AppContext context(ComponentFactory components, Path temporary) {
        Surroundings surroundings =
                new Surroundings(
                        files == null ? new NoFiles() : files,
                        dispatchers,
                        container.contexts(spec.host()),
                        MediaTypes::byExtension);
        ContextFacts facts =
                new ContextFacts(
                        PercentEncoding.path(spec.contextPath()),
                        container.serverInfo(),
                        spec.host().isEmpty() ? HOST : spec.host(),
                        loader,
                        temporary,
                        orderedLibs,
                        new SessionTracking(true, true).modes(),
                        log);
        AppContext context = new AppContext(facts, draft, components, surroundings);
        context.annotateInstances();
        return context;
    }

    private boolean declares(String servlet) {
        return draft.servlet(servlet) != null;
    }

    private Sessions sessions(AppContext context, AppDescription app, SessionStart start)
            throws IOException {
        KeptSessions store = start.open(app.distributable());
        opened.add(store);
        SessionSetup setup =
                new SessionSetup(
                        context,
                        store,
                        new ListenerEvents(context.listeners()),
                        container.sessionIds(),
                        SessionClock.SYSTEM,
                        new JvmHeap(),
                        container.loaded(),
                        this::startForSessions,
                        log);
        return new Sessions(setup, start.limits(), app.session().timeoutMinutes());
    }

    /// Starts a thread that ends sessions. A platform thread, so that a listener that never waits
    /// takes no carrier from other virtual threads.
    private void startForSessions(Runnable task) {
        String path = spec.contextPath();
        Thread thread =
                Thread.ofPlatform()
                        .daemon()
                        .inheritInheritableThreadLocals(false)
                        .name("sessions of " + (path.isEmpty() ? "/" : path))
                        .unstarted(task);
        thread.setContextClassLoader(loader);
        thread.start();
    }

    private ContentReading reading(Spool spool, Path temporary) {
        return new ContentReading(
                container.parameters(),
                container.hashKey(),
                new UploadReader(spool, temporary, container.parameters(), container.parts()));
    }
}
