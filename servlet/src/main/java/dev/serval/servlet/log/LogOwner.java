package dev.serval.servlet.log;

import org.jspecify.annotations.Nullable;

/// A class loader whose application has a log.
public interface LogOwner {
    /// Returns the log of the application; null if it has none.
    @Nullable AppLog log();
}
