package dev.serval.servlet.loader;

import dev.serval.servlet.pages.SharedCode;
import java.io.IOException;
import java.lang.module.ResolvedModule;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Shows applications the JDK and the shared packages of the container, and hides the rest of the
/// server. The parent of every [AppClassLoader].
public final class ApiClassLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String CLASS = ".class";

    private final ClassLoader container;
    private final SharedPackages shared;
    private final SharedCode engine;
    private final Set<String> jdkPackages;

    /// Creates the loader.
    ///
    /// @param container the loader that has the shared packages
    public ApiClassLoader(ClassLoader container, SharedPackages shared) {
        this(container, shared, SharedCode.NONE);
    }

    /// Creates a loader that also shows classes of an engine for pages.
    ///
    /// @param container the loader that has the shared packages
    public ApiClassLoader(ClassLoader container, SharedPackages shared, SharedCode engine) {
        super("serval-api", getPlatformClassLoader());
        this.container = container;
        this.shared = shared;
        this.engine = engine;
        this.jdkPackages = Set.copyOf(packagesOfTheJdk());
    }

    /// Returns the packages of all modules of the JDK, also of those that the system loader
    /// defines, such as jdk.compiler.
    private static Set<String> packagesOfTheJdk() {
        Set<String> packages = new HashSet<>();
        for (ResolvedModule module : ModuleLayer.boot().configuration().modules()) {
            boolean jdk =
                    module.reference()
                            .location()
                            .map(uri -> "jrt".equals(uri.getScheme()))
                            .orElse(false);
            if (jdk) {
                packages.addAll(module.reference().descriptor().packages());
            }
        }
        return packages;
    }

    /// Returns whether the JDK or the container supplies a package, so that of the application's own
    /// classes in it only those are used that these do not have.
    boolean isSupplied(String packageName) {
        return isJdk(packageName) || shared.contains(packageName) || engine.hasPackage(packageName);
    }

    private boolean isJdk(String packageName) {
        return packageName.startsWith("java.") || jdkPackages.contains(packageName);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        String packageName = AppClassLoader.packageOf(name);
        if (engine.hasPackage(packageName) || engine.classes().contains(name)) {
            return engine.loader().loadClass(name);
        }
        if (shared.contains(packageName)) {
            return container.loadClass(name);
        }
        // Modules of the JDK are in the platform loader or in the system loader.
        return jdkPackages.contains(packageName)
                ? getSystemClassLoader().loadClass(name)
                : super.loadClass(name, resolve);
    }

    /// Returns whether the engine for pages supplies a class, which an application cannot replace.
    boolean isOffered(String className) {
        return engine.classes().contains(className);
    }

    private boolean isClassOfEngine(String path) {
        return path.endsWith(CLASS)
                && isOffered(path.substring(0, path.length() - CLASS.length()).replace('/', '.'));
    }

    @Override
    protected @Nullable URL findResource(String name) {
        @Nullable ClassLoader owner = owner(name);
        return owner == null ? null : owner.getResource(name);
    }

    @Override
    protected Enumeration<URL> findResources(String name) throws IOException {
        @Nullable ClassLoader owner = owner(name);
        return owner == null ? Collections.emptyEnumeration() : owner.getResources(name);
    }

    /// Returns the loader that may show a resource which the platform loader does not have.
    private @Nullable ClassLoader owner(String name) {
        String packageName = AppClassLoader.packageOfPath(name);
        if (engine.hasPackage(packageName)
                || engine.resources().contains(name)
                || isClassOfEngine(name)) {
            return engine.loader();
        }
        if (shared.contains(packageName)) {
            return container;
        }
        return name.endsWith(CLASS) && jdkPackages.contains(packageName)
                ? getSystemClassLoader()
                : null;
    }
}
