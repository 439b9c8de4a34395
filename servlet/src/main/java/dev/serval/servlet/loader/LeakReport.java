package dev.serval.servlet.loader;

import java.util.List;

/// What an application left behind when it stopped. Each entry keeps the application's classes in
/// memory until it ends. Immutable.
///
/// @param leaks what was found
/// @param notes where the search could not look, and how to allow it
public record LeakReport(List<Leak> leaks, List<String> notes) {
    /// Copies the lists.
    public LeakReport {
        leaks = List.copyOf(leaks);
        notes = List.copyOf(notes);
    }

    /// Searches for leaks, and removes those that can be removed safely: drivers, shutdown hooks,
    /// log handlers, security providers, cached bundles and values of the current thread. Threads
    /// are never stopped. Called after the application's listeners have ended, before its loader is
    /// closed. Finds nothing in virtual threads, which the JDK does not list.
    public static LeakReport of(AppClassLoader loader) {
        return of(loader, List.of());
    }

    /// Searches for leaks as [#of(AppClassLoader)] does.
    ///
    /// @param others the loaders of applications that continue. One of them gets its security provider
    ///     registered in place of a removed one, because the JVM takes only one of each name
    public static LeakReport of(AppClassLoader loader, List<AppClassLoader> others) {
        LeakSearch search = new LeakSearch(loader, others);
        new HookLeaks(search).find();
        new DriverLeaks(search).find();
        new LoggingLeaks(search).find();
        new CacheLeaks(search).find();
        new ThreadLocalLeaks(search).find();
        new ThreadLeaks(search).find();
        return search.report();
    }
}
