package dev.serval;

import dev.serval.worker.WorkerThreads;
import org.jspecify.annotations.Nullable;

/// The ways to carry Workers, the threads that run application code.
public enum WorkerKind {
    /// The loop that owns the connection carries them, or the pool if that is better.
    LOOP(WorkerThreads.Kind.LOOP),
    /// The JDK's scheduler of virtual threads carries them.
    VIRTUAL(WorkerThreads.Kind.VIRTUAL),
    /// Each Worker is a platform thread.
    PLATFORM(WorkerThreads.Kind.PLATFORM);

    private final WorkerThreads.Kind threads;

    WorkerKind(WorkerThreads.Kind threads) {
        this.threads = threads;
    }

    /// Returns the best kind that this JVM supports.
    public static WorkerKind best() {
        return loopRefusal() == null ? LOOP : VIRTUAL;
    }

    /// Returns why loops cannot carry Workers in this JVM, or null if they can.
    public static @Nullable String loopRefusal() {
        return WorkerThreads.closed();
    }

    WorkerThreads.Kind threads() {
        return threads;
    }
}
