package dev.serval.servlet.dispatch;

import dev.serval.servlet.request.AppScope;
import org.jspecify.annotations.Nullable;

/// Sets the context class loader of the calling thread to that of an application.
public final class Loaders {
    private Loaders() {}

    /// Enters the application, and returns the loader before.
    public static @Nullable ClassLoader enter(AppScope app) {
        Thread thread = Thread.currentThread();
        @Nullable ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(app.context().getClassLoader());
        return before;
    }

    /// Sets the loader before again.
    public static void leave(@Nullable ClassLoader before) {
        Thread.currentThread().setContextClassLoader(before);
    }
}
