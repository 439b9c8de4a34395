package dev.serval.servlet.loader;

import java.security.Provider;
import java.security.Security;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/// Clears caches of the JDK that keep classes of an application, and finds what it registered with
/// the whole JVM.
final class CacheLeaks {
    private final LeakSearch search;

    CacheLeaks(LeakSearch search) {
        this.search = search;
    }

    void find() {
        ResourceBundle.clearCache(search.loader());
        @Nullable Class<?> introspector = search.usedByApp("java.beans.Introspector");
        if (introspector != null) {
            search.call(introspector, "flushCaches", null);
        }
        findProviders();
        findUncaughtHandler();
    }

    private void findProviders() {
        int place = 0;
        for (Provider provider : Security.getProviders()) {
            place++;
            if (search.belongs(provider)) {
                Security.removeProvider(provider.getName());
                place -= replace(provider, place) ? 0 : 1;
                search.add(
                        Leak.Kind.SECURITY_PROVIDER,
                        "security provider "
                                + provider.getName()
                                + " of "
                                + provider.getClass().getName(),
                        "Call Security.removeProvider in ServletContextListener.contextDestroyed,"
                                + " or pass the provider to getInstance without registering it",
                        true);
            }
        }
    }

    /// Registers the provider of another application in place of a removed one. That application could not do
    /// so, because the JVM takes only one of each name; the next version starts before the former one ends.
    ///
    /// @return whether one is registered
    private boolean replace(Provider removed, int place) {
        String type = removed.getClass().getName();
        for (AppClassLoader other : search.others()) {
            if (other.hasUsed(type)) {
                try {
                    Class<?> own = Class.forName(type, true, other);
                    Provider provider = (Provider) own.getConstructor().newInstance();
                    return Security.insertProviderAt(provider, place) > 0;
                } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
                    search.note("Not registered for " + other + ": " + type + ", because " + e);
                }
            }
        }
        return false;
    }

    private void findUncaughtHandler() {
        Thread.@Nullable UncaughtExceptionHandler handler =
                Thread.getDefaultUncaughtExceptionHandler();
        if (handler != null && search.belongs(handler)) {
            Thread.setDefaultUncaughtExceptionHandler(null);
            search.add(
                    Leak.Kind.UNCAUGHT_HANDLER,
                    "handler of uncaught exceptions " + handler.getClass().getName(),
                    "Set a handler for your own threads only",
                    true);
        }
    }
}
