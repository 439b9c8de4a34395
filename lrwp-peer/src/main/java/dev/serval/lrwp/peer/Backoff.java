package dev.serval.lrwp.peer;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/// The pauses of one connection between its attempts. A pause is a random part, from a half to the
/// whole, of a bound that doubles with each failure. The randomness keeps many connections from
/// dialling in at the same moment.
final class Backoff {
    private final PeerLimits limits;
    private final RandomGenerator random;
    private int failures;

    Backoff(PeerLimits limits, RandomGenerator random) {
        this.limits = limits;
        this.random = random;
    }

    /// Starts with the shortest pause again.
    void reset() {
        failures = 0;
    }

    /// Returns the next pause in nanoseconds.
    ///
    /// @param refused whether the agent refused the registration, which a new attempt is unlikely to
    ///     change
    long nextNanos(boolean refused) {
        int first = refused ? limits.refusedMinMillis() : limits.retryMinMillis();
        long bound = first;
        for (int i = 0; i < failures && bound < limits.retryMaxMillis(); i++) {
            bound *= 2;
        }
        bound = Math.min(bound, limits.retryMaxMillis());
        failures = Math.min(failures + 1, Integer.SIZE);
        long nanos = TimeUnit.MILLISECONDS.toNanos(bound);
        return nanos / 2 + random.nextLong(nanos / 2 + 1);
    }
}
