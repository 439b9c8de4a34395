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

    /// Returns the pattern of an element. Blanks at its ends are left out, with a warning: they are hardly
    /// ever meant, and other containers do the same.
    ///
    /// @throws DescriptorException if it is none of the forms that §12.2 defines
    static String of(XmlElement element, Declarations declared) throws DescriptorException {
        String written = element.text();
        DescriptorVersion version = declared.head.version();
        boolean blanks = !written.equals(element.value()) && !written.isBlank();
        if (blanks && !version.isBefore(2, 4) && !hasLineBreak(written)) {
            declared.warn(
                    element,
                    "The url-pattern \"%s\" has blanks at its ends, which are left out. Remove them."
                            .formatted(element.value()));
            return check(element.value(), version, element.origin());
        }
        return check(written, version, element.origin());
    }

    /// Returns the pattern.
    ///
    /// @throws DescriptorException if it is none of the forms that §12.2 defines
    public static String check(String pattern, Origin origin) throws DescriptorException {
        if (hasLineBreak(pattern)) {
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

    private static boolean hasLineBreak(String pattern) {
        return pattern.indexOf('\r') >= 0 || pattern.indexOf('\n') >= 0;
    }

    private static String correct(String pattern) {
        return pattern.startsWith("/") || pattern.startsWith("*.") ? pattern : "/" + pattern;
    }
}
