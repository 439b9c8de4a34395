package dev.serval.acme;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/// A clock that a test sets.
final class SetTime implements InstantSource {
    private volatile Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    @Override
    public Instant instant() {
        return now;
    }

    void set(Instant other) {
        now = other;
    }

    void pass(Duration time) {
        now = now.plus(time);
    }
}
