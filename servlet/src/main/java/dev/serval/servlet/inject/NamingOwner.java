package dev.serval.servlet.inject;

/// Provides the names of an application to the threads that run its code. The class loader of the
/// application implements it, because the context class loader identifies the application.
@FunctionalInterface
public interface NamingOwner {
    /// Returns the names of the application.
    AppNaming naming();
}
