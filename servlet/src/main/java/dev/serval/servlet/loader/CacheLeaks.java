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
        for (Provider provider : Security.getProviders()) {
            if (search.belongs(provider)) {
                Security.removeProvider(provider.getName());
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
