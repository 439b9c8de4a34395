package dev.serval.servlet.pages;

import java.util.Set;

/// The classes of an engine that applications see. Immutable.
///
/// @param loader has the classes
/// @param packages these, with their subpackages, which applications cannot override
/// @param classes single classes, which applications cannot override either
/// @param resources paths of single files, such as those of services
public record SharedCode(
        ClassLoader loader, Set<String> packages, Set<String> classes, Set<String> resources) {
    /// Nothing, for a container without an engine.
    public static final SharedCode NONE =
            new SharedCode(ClassLoader.getPlatformClassLoader(), Set.of(), Set.of(), Set.of());

    /// Copies the sets.
    public SharedCode {
        packages = Set.copyOf(packages);
        classes = Set.copyOf(classes);
        resources = Set.copyOf(resources);
    }

    /// Returns whether a package is shared.
    public boolean hasPackage(String packageName) {
        if (packages.isEmpty()) {
            return false;
        }
        for (String shared : packages) {
            if (packageName.startsWith(shared)
                    && (packageName.length() == shared.length()
                            || packageName.charAt(shared.length()) == '.')) {
                return true;
            }
        }
        return false;
    }
}
