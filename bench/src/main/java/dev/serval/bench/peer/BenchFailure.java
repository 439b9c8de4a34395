package dev.serval.bench.peer;

import org.jspecify.annotations.Nullable;

/// Something outside the suite prevents a benchmark. The message tells the user what to do.
public final class BenchFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final boolean lack;

    /// Makes a failure with a message for the user.
    public BenchFailure(String message) {
        this(message, null);
    }

    /// Makes a failure with a message for the user, and its cause.
    public BenchFailure(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private BenchFailure(String message, @Nullable Throwable cause, boolean lack) {
        super(message, cause);
        this.lack = lack;
    }

    /// Throws a failure with this message unless a condition holds.
    public static void require(boolean holds, String message) {
        if (!holds) {
            throw new BenchFailure(message);
        }
    }

    /// Returns a failure because the machine lacks something. What needs it is not measured, but
    /// has not failed.
    public static BenchFailure lack(String message, @Nullable Throwable cause) {
        return new BenchFailure(message, cause, true);
    }

    /// Returns whether the machine lacks something.
    public boolean isLack() {
        return lack;
    }
}
