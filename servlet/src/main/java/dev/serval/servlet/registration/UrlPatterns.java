package dev.serval.servlet.registration;

import org.jspecify.annotations.Nullable;

/// Checks the patterns that code registers (Servlet 6.1 §12.2). Stateless.
final class UrlPatterns {
    private UrlPatterns() {}

    /// Refuses a list of patterns or names that is empty or has a null.
    ///
    /// @throws IllegalArgumentException if it is refused
    static void checkPresent(@Nullable String @Nullable [] items) {
        if (items == null || items.length == 0) {
            throw new IllegalArgumentException("A mapping needs at least one pattern or name.");
        }
        for (@Nullable String item : items) {
            if (item == null) {
                throw new IllegalArgumentException("A pattern or name of a mapping is null.");
            }
        }
    }

    /// Refuses a list of patterns that is empty or has a wrong one.
    ///
    /// @throws IllegalArgumentException if it is refused
    static void check(String[] patterns) {
        checkPresent(patterns);
        for (String pattern : patterns) {
            boolean extension =
                    pattern.startsWith("*.") && pattern.indexOf('/') < 0 && pattern.length() > 2;
            if (!pattern.isEmpty() && !pattern.startsWith("/") && !extension) {
                throw new IllegalArgumentException(
                        "The pattern \""
                                + pattern
                                + "\" begins neither with a slash nor with \"*.\". Correct it.");
            }
        }
    }
}
