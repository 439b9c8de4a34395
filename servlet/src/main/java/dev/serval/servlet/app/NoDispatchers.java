package dev.serval.servlet.app;

import dev.serval.servlet.context.Dispatchers;
import jakarta.servlet.RequestDispatcher;
import org.jspecify.annotations.Nullable;

/// The dispatchers of an application that has not started.
record NoDispatchers() implements Dispatchers {
    @Override
    public @Nullable RequestDispatcher forPath(String path) {
        return null;
    }

    @Override
    public @Nullable RequestDispatcher named(String servlet) {
        return null;
    }
}
