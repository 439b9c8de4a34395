package dev.serval.servlet.inject;

/// Gives the names of an application to the threads that run its code. The class loader of the
/// application implements it, because a thread knows its application by its context class loader.
@FunctionalInterface
public interface NamingOwner {
    /// Returns the names of the application.
    AppNaming naming();
}
