package dev.serval.servlet.app;

import static java.lang.System.Logger.Level.WARNING;

import dev.serval.servlet.archive.ArchiveLimits;
import dev.serval.servlet.archive.WorkFolder;
import dev.serval.servlet.archive.WorkLimits;
import dev.serval.servlet.context.Contexts;
import dev.serval.servlet.files.FileScanCache;
import dev.serval.servlet.files.FileScanLimits;
import dev.serval.servlet.inject.AppNaming;
import dev.serval.servlet.kept.SessionPlan;
import dev.serval.servlet.loader.ApiClassLoader;
import dev.serval.servlet.loader.AppClassLoader;
import dev.serval.servlet.loader.SharedPackages;
import dev.serval.servlet.log.AppLog;
import dev.serval.servlet.log.AppLogs;
import dev.serval.servlet.map.NormalPath;
import dev.serval.servlet.multipart.MultipartBounds;
import dev.serval.servlet.pages.PageEngine;
import dev.serval.servlet.pages.SharedCode;
import dev.serval.servlet.parameter.HashKey;
import dev.serval.servlet.parameter.ParameterLimits;
import dev.serval.servlet.password.LoginCounters;
import dev.serval.servlet.password.SecurityLimits;
import dev.serval.servlet.password.Verifier;
import dev.serval.servlet.scan.AnnotationScan;
import dev.serval.servlet.scan.ScanCache;
import dev.serval.servlet.scan.ScanLimits;
import dev.serval.servlet.security.SecurityPlan;
import dev.serval.servlet.session.SessionIds;
import dev.serval.servlet.users.Users;
import dev.serval.servlet.vault.FileVaults;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the applications of a server share: the work folder, the loader of the API, random numbers,
/// and one thread that counts the time of requests and sessions. Any thread.
public final class AppContainer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(AppContainer.class.getName());
    private static final long TICK_SECONDS = 1;

    private final WorkFolder work;
    private final ApiClassLoader api;
    private final SecureRandom random = new SecureRandom();
    private final SessionIds sessionIds = new SessionIds(random);
    private final HashKey hashKey = HashKey.of(random);
    private final AtomicLong requests = new AtomicLong();
    private final String requestPrefix = Long.toString(random.nextLong() >>> 1, 36) + "-";
    private final Supplier<String> requestIds = this::nextRequestId;
    private final Map<String, Deployment> byAddress = new ConcurrentHashMap<>();
    private final Set<Deployment> all = ConcurrentHashMap.newKeySet(); // also replaced versions
    private final AtomicBoolean warnedOfNaming = new AtomicBoolean();
    private final ScheduledThreadPoolExecutor timers;
    private final ScanCache scans;
    private final ContainerSettings settings;
    private final @Nullable Verifier verifier;
    private final FileVaults vaults;

    /// Opens a container.
    public AppContainer(ContainerSettings settings) throws IOException {
        this.settings = settings;
        this.vaults = new FileVaults(settings.folderPatience());
        Path folder = settings.folder();
        this.work =
                WorkFolder.open(
                        folder, WorkLimits.DEFAULT, ArchiveLimits.DEFAULT, InstantSource.system());
        this.scans =
                FileScanCache.open(
                        folder.resolve("scan"), FileScanLimits.DEFAULT, InstantSource.system());
        @Nullable Users users = settings.users();
        SecurityLimits limits = SecurityLimits.standard(Runtime.getRuntime().availableProcessors());
        this.verifier = users == null ? null : new Verifier(users, limits, random);
        @Nullable PageEngine engine = settings.pages();
        this.api =
                new ApiClassLoader(
                        AppContainer.class.getClassLoader(),
                        SharedPackages.JAKARTA,
                        engine == null ? SharedCode.NONE : engine.shared());
        this.timers =
                new ScheduledThreadPoolExecutor(
                        1,
                        Thread.ofPlatform().daemon().name("serval-servlet-timer").factory(),
                        // After the end, requests that still run get no timeouts.
                        new ThreadPoolExecutor.DiscardPolicy());
        timers.setRemoveOnCancelPolicy(true);
        // Here, because a thread keeps the context class loader of the thread that starts it.
        boolean _ = timers.prestartCoreThread();
        Future<?> _ =
                timers.scheduleWithFixedDelay(
                        this::tick, TICK_SECONDS, TICK_SECONDS, TimeUnit.SECONDS);
    }

    private void tick() {
        for (Deployment deployment : all) {
            try {
                deployment.tick();
            } catch (Throwable e) { // would end the timer for all applications
                report(e);
            }
        }
    }

    /// The timer continues even if logging fails, such as for want of memory.
    private static void report(Throwable thrown) {
        try {
            LOG.log(WARNING, "Serval failed to end the overdue sessions of an application", thrown);
        } catch (Throwable e) {
            // Nothing is left that could tell it.
        }
    }

    /// Returns the loader of the Jakarta API, the parent of each application's loader.
    ApiClassLoader api() {
        return api;
    }

    WorkFolder work() {
        return work;
    }

    Path folder() {
        return settings.folder();
    }

    String serverInfo() {
        return settings.serverInfo();
    }

    boolean showsFaults() {
        return settings.showsFaults();
    }

    /// Returns the JSP engine; null if there is none.
    @Nullable PageEngine pages() {
        return settings.pages();
    }

    /// Returns the data sources that the container gives to applications.
    DeclaredSources sources() {
        return settings.sources();
    }

    /// Returns the charset for which an application has to declare none; null if there is none.
    @Nullable String encoding() {
        return settings.encoding();
    }

    /// Returns the limits of parameters and forms.
    ParameterLimits parameters() {
        return settings.parameters();
    }

    /// Returns the limits of multipart content.
    MultipartBounds parts() {
        return settings.parts();
    }

    /// Returns how long requests of an application may take; 0 if there is no limit.
    long timeLimitMillis(AppSpec spec) {
        return spec.timeLimitMillis() < 0 ? settings.timeLimitMillis() : spec.timeLimitMillis();
    }

    /// Returns how the sessions of an application are kept.
    SessionPlan sessionPlan(AppSpec spec) {
        @Nullable SessionPlan own = spec.sessions();
        return own == null ? settings.sessions() : own;
    }

    /// Returns the folders of sessions that this server owns.
    FileVaults vaults() {
        return vaults;
    }

    SessionIds sessionIds() {
        return sessionIds;
    }

    /// Returns what tells whether the server is loaded.
    BooleanSupplier loaded() {
        return settings.loaded();
    }

    /// Returns the counters of logins; null if the server has no users.
    public @Nullable LoginCounters logins() {
        return verifier == null ? null : verifier.counters();
    }

    /// Returns what makes the guards of applications.
    SecurityPlan security(String name, System.Logger log) {
        return new SecurityPlan(
                name,
                verifier,
                settings.httpsPort(),
                sessionIds::next,
                warning -> log.log(WARNING, warning));
    }

    HashKey hashKey() {
        return hashKey;
    }

    private String nextRequestId() {
        return requestPrefix + requests.incrementAndGet();
    }

    Supplier<String> requestIds() {
        return requestIds;
    }

    Future<?> timer(Runnable task, long afterMillis) {
        return timers.schedule(task, afterMillis, TimeUnit.MILLISECONDS);
    }

    /// Returns the cache of what was found out about files, shared by all applications.
    ScanCache scans() {
        return scans;
    }

    AnnotationScan scan() {
        Executor each = task -> Thread.ofVirtual().name("serval-scan").start(task);
        return new AnnotationScan(each, scans, ScanLimits.defaults());
    }

    /// Opens the log file of an application; null without log files, or if it cannot be written.
    @Nullable AppLog openLog(String name) {
        @Nullable AppLogs logs = settings.logs();
        try {
            return logs == null ? null : logs.open(name);
        } catch (IOException e) {
            LOG.log(
                    WARNING,
                    "There is no log file for the application "
                            + name
                            + ", because it cannot be written ("
                            + e
                            + "): choose another folder, or make it writable.");
            return null;
        }
    }

    /// Logs, once, why applications cannot use JNDI in this process, if they cannot.
    void warnOfNaming(System.Logger log) {
        @Nullable String obstacle = AppNaming.obstacle();
        if (obstacle != null && !warnedOfNaming.getAndSet(true)) {
            log.log(WARNING, obstacle);
        }
    }

    /// Makes an application visible to the others. It may replace another version.
    void add(Deployment deployment) {
        all.add(deployment);
        byAddress.put(deployment.address(), deployment);
    }

    /// Hides an application from the others, unless another version has replaced it. A version that it has
    /// not replaced after all is seen again.
    void hide(Deployment deployment) {
        String address = deployment.address();
        if (byAddress.remove(address, deployment)) {
            all.stream()
                    .filter(other -> !other.equals(deployment))
                    .filter(other -> other.isRunning() && other.address().equals(address))
                    .findFirst()
                    .ifPresent(this::showAgain);
        }
    }

    private void showAgain(Deployment former) {
        byAddress.putIfAbsent(former.address(), former);
        if (!former.isRunning()) { // it has hidden itself meanwhile
            byAddress.remove(former.address(), former);
        }
    }

    /// Opens the log files of applications again, after a program has moved them.
    public void reopenLogs() {
        @Nullable AppLogs logs = settings.logs();
        if (logs != null) {
            logs.reopen();
        }
    }

    /// Drops an application that has stopped.
    void forget(Deployment deployment) {
        all.remove(deployment);
    }

    /// Returns the loaders of all other applications that have files.
    List<AppClassLoader> loadersBut(AppClassLoader loader) {
        List<AppClassLoader> loaders = new ArrayList<>();
        for (Deployment deployment : all) {
            if (deployment.context().getClassLoader() instanceof AppClassLoader other
                    && !other.equals(loader)) {
                loaders.add(other);
            }
        }
        return loaders;
    }

    /// Finds applications of a host by the longest context path that is above a path.
    Contexts contexts(String host) {
        return path -> {
            @Nullable String normal = NormalPath.normal(path);
            String prefix = normal == null ? path : normal; // decoded, as the addresses are
            while (true) {
                @Nullable Deployment found = byAddress.get(host + prefix);
                if (found != null) {
                    return context(found);
                }
                int slash = prefix.lastIndexOf('/');
                if (slash < 0) {
                    return null;
                }
                prefix = prefix.substring(0, slash);
            }
        };
    }

    private static ServletContext context(Deployment deployment) {
        return deployment.context();
    }

    /// Stops the applications that run, waits for those that others are stopping, and stops the
    /// container's threads.
    @Override
    public void close() {
        for (Deployment deployment : all) {
            deployment.close();
        }
        timers.shutdownNow();
        @Nullable AppLogs logs = settings.logs();
        if (logs != null) {
            logs.close();
        }
    }
}
