package dev.serval.servlet.dispatch;

import dev.serval.servlet.request.AppScope;
import org.jspecify.annotations.Nullable;

/// Sets the context class loader of the calling thread to that of an application.
final class Loaders {
    private Loaders() {}

    /// @return the loader before
    static @Nullable ClassLoader enter(AppScope app) {
        Thread thread = Thread.currentThread();
        @Nullable ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(app.context().getClassLoader());
        return before;
    }

    static void leave(@Nullable ClassLoader before) {
        Thread.currentThread().setContextClassLoader(before);
    }
}
