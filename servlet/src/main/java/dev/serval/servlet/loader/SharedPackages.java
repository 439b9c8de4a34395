package dev.serval.servlet.loader;

import java.util.List;

/// The packages that an application gets from the container and cannot override. Immutable.
///
/// @param prefixes names of packages; their subpackages are shared too
public record SharedPackages(List<String> prefixes) {
    /// The Jakarta APIs that a container supplies, as far as it has them.
    public static final SharedPackages JAKARTA =
            new SharedPackages(
                    List.of(
                            "jakarta.servlet",
                            "jakarta.annotation",
                            "jakarta.el",
                            "jakarta.websocket"));

    /// Copies the list.
    public SharedPackages {
        prefixes = List.copyOf(prefixes);
    }

    /// Returns whether a package is shared.
    boolean contains(String packageName) {
        for (String prefix : prefixes) {
            if (packageName.startsWith(prefix)
                    && (packageName.length() == prefix.length()
                            || packageName.charAt(prefix.length()) == '.')) {
                return true;
            }
        }
        return false;
    }
}
