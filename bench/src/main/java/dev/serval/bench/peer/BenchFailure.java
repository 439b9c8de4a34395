package dev.serval.bench.peer;

/// Something outside keeps a benchmark from running; the message is for the user and tells what to
/// do.
public final class BenchFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// With a sentence for the user.
    public BenchFailure(String message) {
        super(message);
    }

    /// With a sentence for the user and what was behind it.
    public BenchFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
