package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;

/// Checks patterns of mappings (Servlet 6.1 §12.2).
public final class UrlPattern {
    private UrlPattern() {}

    /// Returns the pattern of a descriptor. Before version 2.4 a missing slash is added.
    ///
    /// @throws DescriptorException if it is none of the forms that §12.2 defines
    public static String check(String pattern, DescriptorVersion version, Origin origin)
            throws DescriptorException {
        if (version.isBefore(2, 4)
                && !pattern.isBlank()
                && !pattern.strip().startsWith("/")
                && !pattern.strip().startsWith("*.")) {
            return check("/" + pattern.strip(), origin);
        }
        return check(version.isBefore(2, 4) ? pattern.strip() : pattern, origin);
    }

    /// Returns the pattern.
    ///
    /// @throws DescriptorException if it is none of the forms that §12.2 defines
    public static String check(String pattern, Origin origin) throws DescriptorException {
        if (pattern.indexOf('\r') >= 0 || pattern.indexOf('\n') >= 0) {
            throw new DescriptorException(
                    origin,
                    "The url-pattern \"%s\" contains a line break. Write it on one line."
                            .formatted(pattern.strip()));
        }
        if (pattern.isEmpty() || pattern.startsWith("/")) {
            return pattern;
        }
        if (!pattern.startsWith("*.")) {
            throw new DescriptorException(
                    origin,
                    "The url-pattern \"%s\" begins with neither \"/\" nor \"*.\". Write \"%s\"."
                            .formatted(pattern, correct(pattern.strip())));
        }
        if (pattern.indexOf('/') >= 0 || pattern.length() == 2) {
            throw new DescriptorException(
                    origin,
                    ("The url-pattern \"%s\" has no extension after \"*.\". "
                                    + "Write for example \"*.jsp\".")
                            .formatted(pattern));
        }
        return pattern;
    }

    private static String correct(String pattern) {
        return pattern.startsWith("/") || pattern.startsWith("*.") ? pattern : "/" + pattern;
    }
}
