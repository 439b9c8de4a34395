package dev.serval.bench.soak;

/// What application code does in one kind of request, and how its answer is known.
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

    /// The request's target.
    String target(long seed) {
        return this == FILE ? "/files/file.bin" : "/workload/" + name() + "/" + seed;
    }

    /// Whether the request has content, which is [#content].
    boolean uploads() {
        return this == ECHO || this == UPLOAD;
    }

    /// A request's content, and that of an echo's answer.
    byte[] content(long seed) {
        return Pattern.bytes(~seed, (int) (seed % LONG_MAX));
    }

    /// What its answer's content is.
    @SuppressWarnings("EnumOrdinal") // any number will do that is another for each
    byte[] answer(long seed) {
        return switch (this) {
            case FILE -> Pattern.bytes(0, LONG_MAX);
            case ECHO -> content(seed);
            case DOWNLOAD -> Pattern.bytes(seed + ordinal(), (int) (seed % LONG_MAX));
            case UPLOAD -> Pattern.bytes(Pattern.sum(content(seed)), 100);
            default -> Pattern.bytes(seed + ordinal(), (int) (seed % SHORT_MAX));
        };
    }

    /// The answer's status.
    int status() {
        return this == FAILURE ? 500 : 200;
    }
}
