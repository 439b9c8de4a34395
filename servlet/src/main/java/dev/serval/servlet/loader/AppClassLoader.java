package dev.serval.servlet.loader;

import dev.serval.servlet.inject.AppNaming;
import dev.serval.servlet.inject.NamingOwner;
import dev.serval.servlet.log.AppLog;
import dev.serval.servlet.log.LogOwner;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/// Loads the classes of one application: from WEB-INF/classes, then from its jars in the given
/// order, before the container's (Servlet 6.1 §10.7.2). Packages of the JDK and of the shared APIs
/// are the exception: an application cannot override them.
///
/// It is a URLClassLoader so that frameworks can ask for its URLs. None of the inherited look-ups
/// is used. After [#close], classes that were loaded still run, but no others are loaded.
public final class AppClassLoader extends URLClassLoader implements NamingOwner, LogOwner {
    static {
        registerAsParallelCapable();
    }

    private static final System.Logger LOG = System.getLogger(AppClassLoader.class.getName());

    /// A resource and the source that has it.
    private record Found(ClassSource source, ClassSource.Resource resource) {}

    private final String name;
    private final ApiClassLoader api;
    private final SourceIndex sources;
    private final AppNaming noNames;
    private final AtomicReference<@Nullable AppNaming> names = new AtomicReference<>();
    private final AppDrivers drivers = new AppDrivers();
    private volatile @Nullable AppLog log;
    private volatile boolean closed;

    private AppClassLoader(String name, SourceIndex sources, ApiClassLoader api) {
        super(sources.urls(), api);
        this.name = name;
        this.api = api;
        this.sources = sources;
        this.noNames = AppNaming.of(name, Map.of());
    }

    /// Opens a loader.
    ///
    /// @param name the application's name for messages
    /// @param classes WEB-INF/classes, which need not exist
    /// @param jars in the order in which they are searched
    /// @throws IOException if a jar is damaged
    public static AppClassLoader open(
            String name, Path classes, List<Path> jars, ApiClassLoader api) throws IOException {
        List<ClassSource> sources = new ArrayList<>();
        try {
            if (Files.isDirectory(classes)) {
                sources.add(new FolderSource(classes));
            }
            for (Path jar : jars) {
                sources.add(new JarSource(jar));
            }
            return new AppClassLoader(name, new SourceIndex(sources), api);
        } catch (IOException | RuntimeException | Error e) {
            for (ClassSource source : sources) {
                source.close();
            }
            throw e;
        }
    }

    /// Returns the application's name.
    public String appName() {
        return name;
    }

    /// Returns the names of the application; only its own name before [#setNaming].
    @Override
    public AppNaming naming() {
        @Nullable AppNaming set = names.get();
        return set == null ? noNames : set;
    }

    /// Sets the names of the application, once, before its code runs.
    ///
    /// @throws IllegalStateException if they are set
    public void setNaming(AppNaming naming) {
        if (!names.compareAndSet(null, naming)) {
            throw new IllegalStateException("The names of the application " + name + " are set");
        }
    }

    /// Returns the log of the application; null if it has none.
    @Override
    public @Nullable AppLog log() {
        return log;
    }

    /// Sets the log of the application, before its code runs.
    public void setLog(AppLog own) {
        log = own;
    }

    @Override
    protected Class<?> loadClass(String className, boolean resolve) throws ClassNotFoundException {
        @Nullable Class<?> loaded = findLoadedClass(className);
        if (loaded != null) {
            return loaded;
        }
        String packageName = packageOf(className);
        if (packageName.startsWith("java.")) { // which only the JDK may define
            Class<?> found = api.loadClass(className);
            if (className.equals(AppDrivers.MANAGER)) {
                drivers.register(this);
            }
            return found;
        }
        if (api.isSupplied(packageName)) {
            try {
                return api.loadClass(className);
            } catch (ClassNotFoundException e) {
                // Such as jakarta.el, if the container does not have it, or an old addition to
                // org.w3c.dom.
                LOG.log(Level.TRACE, "Neither the JDK nor the container has the class", e);
            }
        }
        if (className.equals(ExitGuard.SUBSTITUTE)) {
            return substitute();
        }
        if (className.equals(AppNaming.FACTORY_CLASS)) {
            // JNDI asks the context class loader for it. Loading it reveals nothing of the server.
            return Class.forName(className, false, AppClassLoader.class.getClassLoader());
        }
        if (api.isOffered(className)) {
            // Also if the application has it, as one with Tomcat's jars: objects of the engine are
            // attributes of the context, and its compiled pages work with the engine's other
            // classes.
            return api.loadClass(className);
        }
        return findClass(className);
    }

    @Override
    protected Class<?> findClass(String className) throws ClassNotFoundException {
        // The search comes before the lock, which the JDK keeps for each name for ever.
        @Nullable Found found = own(className.replace('.', '/') + ".class");
        if (found == null) {
            throw new ClassNotFoundException(
                    closed ? stopped(className) : MissingClass.message(className, sources.size()));
        }
        synchronized (getClassLoadingLock(className)) {
            @Nullable Class<?> loaded = findLoadedClass(className);
            return loaded == null ? define(className, found) : loaded;
        }
    }

    private String stopped(String className) {
        return className
                + " cannot be loaded, because the application "
                + name
                + " was stopped: end its threads when it stops";
    }

    private Class<?> define(String className, Found found) throws ClassNotFoundException {
        ClassSource source = found.source;
        byte[] bytes;
        try (InputStream in = found.resource.open()) {
            bytes = guarded(in.readAllBytes());
            describePackage(packageOf(className), source);
        } catch (IOException | IllegalStateException e) {
            throw new ClassNotFoundException(
                    closed
                            ? stopped(className)
                            : className + " cannot be read from " + source.label(),
                    e);
        }
        try {
            Certificate @Nullable [] unsigned = null;
            return defineClass(
                    className, bytes, 0, bytes.length, new CodeSource(source.location(), unsigned));
        } catch (UnsupportedClassVersionError e) {
            throw MissingClass.tooNew(className, source.label(), bytes, e);
        } catch (ClassFormatError e) {
            throw MissingClass.damaged(className, source.label(), e);
        }
    }

    /// Returns the class file without calls that would end the process.
    private static byte[] guarded(byte[] file) {
        return ExitGuard.guarded(file);
    }

    /// Returns the class file of a compiled page without calls that would end the process. This
    /// loader, or a child of it, may define the class in any later run of the server.
    public byte[] guardedPage(byte[] file) {
        return guarded(file);
    }

    /// Returns the class that calls lead to which would end the process.
    private Class<?> substitute() {
        synchronized (getClassLoadingLock(ExitGuard.SUBSTITUTE)) {
            @Nullable Class<?> loaded = findLoadedClass(ExitGuard.SUBSTITUTE);
            return loaded == null
                    ? define(ExitGuard.SUBSTITUTE, ExitGuard.substitute(name))
                    : loaded;
        }
    }

    private void describePackage(String packageName, ClassSource source) throws IOException {
        if (packageName.isEmpty() || getDefinedPackage(packageName) != null) {
            return;
        }
        @Nullable Manifest manifest = source.manifest();
        try {
            if (manifest == null) {
                definePackage(packageName, null, null, null, null, null, null, null);
            } else {
                definePackage(packageName, manifest, source.location());
            }
        } catch (IllegalArgumentException e) {
            LOG.log(Level.TRACE, "Another thread has defined the package", e);
        }
    }

    /// Defines a class from its bytes, as if the application had it.
    Class<?> define(String className, byte[] bytes) {
        return defineClass(className, bytes, 0, bytes.length);
    }

    /// Returns the JDBC drivers that the server has registered for the application.
    AppDrivers drivers() {
        return drivers;
    }

    /// Returns whether a class of the application has used a class, which may be another loader's.
    boolean hasUsed(String className) {
        return findLoadedClass(className) != null;
    }

    @Override
    public @Nullable URL getResource(String resource) {
        String path = relative(resource);
        boolean supplied = api.isSupplied(packageOfPath(path));
        @Nullable URL first = supplied ? api.getResource(path) : found(path);
        if (first != null) {
            return first;
        }
        return supplied ? found(path) : api.getResource(path);
    }

    @Override
    public Enumeration<URL> getResources(String resource) throws IOException {
        String path = relative(resource);
        List<URL> urls = allFound(path);
        List<URL> parents = Collections.list(api.getResources(path));
        if (path.equals(AppNaming.JNDI_PROPERTIES)) {
            urls.add(AppNaming.jndiProperties()); // after the application's, which have precedence
        }
        urls.addAll(api.isSupplied(packageOfPath(path)) ? 0 : urls.size(), parents);
        return Collections.enumeration(urls);
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String resource) {
        String path = relative(resource);
        @Nullable Found own = api.isSupplied(packageOfPath(path)) ? null : own(path);
        try {
            if (own != null) {
                return own.resource.open(); // without a URL, so nothing stays open after it
            }
            @Nullable URL url = getResource(path);
            return url == null ? null : url.openStream();
        } catch (IOException | IllegalStateException e) {
            LOG.log(Level.DEBUG, "A resource cannot be read", e);
            return null;
        }
    }

    @Override
    public @Nullable URL findResource(String resource) {
        return found(relative(resource));
    }

    private @Nullable URL found(String path) {
        @Nullable Found found = own(path);
        try {
            return found == null ? null : found.resource.url();
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A resource has no URL", e);
            return null;
        }
    }

    @Override
    public Enumeration<URL> findResources(String resource) throws IOException {
        return Collections.enumeration(allFound(relative(resource)));
    }

    private List<URL> allFound(String path) throws IOException {
        List<URL> urls = new ArrayList<>();
        for (ClassSource source : candidates(path)) {
            ClassSource.@Nullable Resource found = source.find(path);
            if (found != null) {
                urls.add(found.url());
            }
        }
        return urls;
    }

    /// Returns the name of a resource without a slash at its beginning. Loaders of the JDK find nothing
    /// then, but Tomcat's and Jetty's do, so applications have come to write it.
    private static String relative(String resource) {
        return resource.startsWith("/") ? resource.substring(1) : resource;
    }

    private @Nullable Found own(String resource) {
        for (ClassSource source : candidates(resource)) {
            ClassSource.@Nullable Resource found = source.find(resource);
            if (found != null) {
                return new Found(source, found);
            }
        }
        return null;
    }

    private List<ClassSource> candidates(String resource) {
        return closed ? List.of() : sources.candidates(resource);
    }

    /// Closes all jars. Loading fails from now on.
    @Override
    public void close() throws IOException {
        closed = true;
        try {
            sources.close();
        } finally {
            super.close();
        }
    }

    /// Returns the package of a class; empty for none.
    static String packageOf(String className) {
        return className.substring(0, Math.max(0, className.lastIndexOf('.')));
    }

    /// Returns the package that a resource's path stands for.
    static String packageOfPath(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/'))).replace('/', '.');
    }

    @Override
    public String toString() {
        return "AppClassLoader of " + name;
    }
}
