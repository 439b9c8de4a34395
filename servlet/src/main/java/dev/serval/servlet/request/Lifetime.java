package dev.serval.servlet.request;

import java.lang.invoke.VarHandle;

/// Whether a request still runs: the part of its exchange that the application's objects ask. After
/// its end, the objects that the application kept fail, because the memory below them serves another
/// request.
public abstract sealed class Lifetime permits ServletExchange {
    private volatile boolean ended;

    /// Creates the lifetime of a request that begins.
    Lifetime() {}

    /// Ends it. No call of the application sees the request's memory any more.
    final void expire() {
        ended = true;
    }

    /// Returns whether it has ended.
    public final boolean hasEnded() {
        return ended;
    }

    /// Fails if the request has ended.
    public final void check() {
        if (ended) {
            throw new IllegalStateException(
                    "The request has ended. Keep what you need of it in your own objects, or call"
                            + " startAsync to continue it");
        }
    }

    /// Returns `value`, which the caller has just read of the request's memory, if the request has
    /// not ended meanwhile. Only then the value is surely its own.
    public final <T extends @org.jspecify.annotations.Nullable Object> T own(T value) {
        VarHandle.acquireFence(); // the value was read before `ended`
        check();
        return value;
    }
}
