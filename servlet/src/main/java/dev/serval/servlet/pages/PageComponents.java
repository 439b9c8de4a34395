package dev.serval.servlet.pages;

/// Injects values into tag handlers and calls their lifecycle methods (Servlet 6.1 §15.5). Any
/// thread.
public interface PageComponents {
    /// Injects values into a new instance, and calls its @PostConstruct methods.
    ///
    /// @throws PageException if a value is missing or a method threw
    void begin(Object instance) throws PageException;

    /// Calls the @PreDestroy methods of an instance that [#begin] has accepted.
    void end(Object instance);
}
