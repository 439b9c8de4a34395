package dev.serval.servlet.assembly;

import dev.serval.servlet.scan.ClassFiles;
import dev.serval.servlet.webxml.Declarations;
import dev.serval.servlet.webxml.Ordering;
import org.jspecify.annotations.Nullable;

/// A jar of WEB-INF/lib as a member of the ordering (Servlet 6.1 §8.2.2).
///
/// @param jar the jar
/// @param declared what its web-fragment.xml declares; null if it has none
record Fragment(ClassFiles jar, @Nullable Declarations declared) {
    /// The place of web-fragment.xml in a jar.
    static final String PATH = "META-INF/web-fragment.xml";

    private static final Ordering.Relative UNNAMED = (Ordering.Relative) Ordering.NONE;

    /// Returns its name and its wishes.
    Ordering.Relative ordering() {
        return declared != null && declared.head.ordering() instanceof Ordering.Relative relative
                ? relative
                : UNNAMED;
    }

    /// Returns the fragment's name; empty if it has none.
    String name() {
        return ordering().name();
    }

    /// Returns the name for messages.
    String label() {
        return name().isEmpty() ? jar.name() : name();
    }
}
