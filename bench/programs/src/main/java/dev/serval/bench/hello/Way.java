package dev.serval.bench.hello;

import dev.serval.WorkerKind;

/// The ways in which a handler says hello.
public enum Way {
    /// At once, on the loop. No application code can cost less.
    LOOP,
    /// As application code on a virtual thread that the loop carries.
    WORKER,
    /// As application code on a virtual thread that the JDK's scheduler carries.
    VIRTUAL,
    /// As application code on a pool of two platform threads.
    PLATFORM;

    static final int PLATFORM_THREADS = 2;

    WorkerKind threads() {
        return switch (this) {
            case LOOP, WORKER -> WorkerKind.LOOP;
            case VIRTUAL -> WorkerKind.VIRTUAL;
            case PLATFORM -> WorkerKind.PLATFORM;
        };
    }
}
