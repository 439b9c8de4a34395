package dev.serval.servlet.password;

import java.util.concurrent.atomic.LongAdder;

/// Counts logins. Any thread.
public final class LoginCounters {
    private final LongAdder accepted = new LongAdder();
    private final LongAdder cached = new LongAdder();
    private final LongAdder rejected = new LongAdder();
    private final LongAdder slowed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder replayed = new LongAdder();

    LoginCounters() {}

    /// Returns the passwords that were right.
    public long accepted() {
        return accepted.sum();
    }

    /// Returns the requests whose password was remembered as right.
    public long cached() {
        return cached.sum();
    }

    /// Returns the passwords and responses that were wrong.
    public long rejected() {
        return rejected.sum();
    }

    /// Returns the checks that were delayed because of earlier failures.
    public long slowed() {
        return slowed.sum();
    }

    /// Returns the checks that were refused because too many waited.
    public long refused() {
        return refused.sum();
    }

    /// Returns the responses of DIGEST whose nonce count was used before.
    public long replayed() {
        return replayed.sum();
    }

    void countAccepted() {
        accepted.increment();
    }

    void countCached() {
        cached.increment();
    }

    void countRejected() {
        rejected.increment();
    }

    void countSlowed() {
        slowed.increment();
    }

    void countRefused() {
        refused.increment();
    }

    void countReplayed() {
        replayed.increment();
    }
}
