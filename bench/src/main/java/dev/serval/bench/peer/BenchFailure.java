package dev.serval.bench.peer;

import org.jspecify.annotations.Nullable;

/// Something outside the suite prevents a benchmark from running. The message tells the user what
/// to do.
public final class BenchFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Makes a failure with a message for the user.
    public BenchFailure(String message) {
        super(message);
    }

    /// Makes a failure with a message for the user, and its cause.
    public BenchFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
