package dev.serval.servlet.context;

import java.util.Set;

/// Finds the classes of an application that an initializer asks for (Servlet 6.1 §8.2.4).
@FunctionalInterface
public interface HandledTypes {
    /// Returns the names of the classes that extend, implement or are annotated with one of the
    /// types.
    Set<String> classesFor(Class<?>[] types);
}
