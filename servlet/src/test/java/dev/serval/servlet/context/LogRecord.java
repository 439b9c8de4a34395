package dev.serval.servlet.context;

import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/// A log that keeps its messages, and the exceptions whose stack trace it gets.
public final class LogRecord implements System.Logger {
    public final List<String> messages = new ArrayList<>();
    final List<Throwable> traces = new ArrayList<>();

    @Override
    public String getName() {
        return "test";
    }

    @Override
    public boolean isLoggable(Level level) {
        return true;
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String message,
            @Nullable Throwable thrown) {
        messages.add(level + " " + message);
        if (thrown != null) {
            traces.add(thrown);
        }
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String message,
            @Nullable Object... parameters) {
        messages.add(level + " " + message);
    }
}
