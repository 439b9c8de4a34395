package dev.serval.soak;

import dev.serval.soak.war.Pattern;

/// The kinds of requests: what application code does, and which answer is right.
enum Kind {
    SPIN,
    SLEEP,
    YIELD,
    MONITOR,
    OWN_MONITOR,
    LOCK,
    SEMAPHORE,
    WAIT_NOTIFY,
    COMPUTE,
    CHILDREN,
    EXECUTOR,
    FUTURE,
    FAILURE,
    FOREIGN_PARK,
    THREAD_LOCAL,
    NATIVE,
    INITIALISER,
    RECURSION,
    INTERRUPT,
    ECHO,
    UPLOAD,
    DOWNLOAD,
    FILE;

    private static final int SHORT_MAX = 3000;
    private static final int LONG_MAX = 400_000;

    /// Returns the request's target.
    String target(long seed) {
        return this == FILE ? "/files/file.bin" : "/workload/" + name() + "/" + seed;
    }

    /// Returns whether the request has content, which is [#content].
    boolean uploads() {
        return this == ECHO || this == UPLOAD;
    }

    /// Returns the content of a request, and of the answer to an echo.
    byte[] content(long seed) {
        return Pattern.bytes(~seed, (int) (seed % LONG_MAX));
    }

    /// Returns the content of the answer.
    @SuppressWarnings("EnumOrdinal") // any number that differs for each kind
    byte[] answer(long seed) {
        return switch (this) {
            case FILE -> Pattern.bytes(0, LONG_MAX);
            case ECHO -> content(seed);
            case DOWNLOAD -> Pattern.bytes(seed + ordinal(), (int) (seed % LONG_MAX));
            case UPLOAD -> Pattern.bytes(Pattern.sum(content(seed)), 100);
            default -> Pattern.bytes(seed + ordinal(), (int) (seed % SHORT_MAX));
        };
    }

    /// Returns the status of the answer.
    int status() {
        return this == FAILURE ? 500 : 200;
    }
}
