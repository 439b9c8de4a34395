package dev.serval.acme;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;

/// When certificates are renewed, and when a failed attempt is repeated. Any thread.
final class RenewalSchedule {
    /// The pause after the first failure. Authorities allow few failures an hour for a name.
    static final Duration FIRST_PAUSE = Duration.ofMinutes(5);

    /// The longest pause, so that a certificate that is renewed at two thirds of its life has many
    /// attempts left.
    static final Duration LONGEST_PAUSE = Duration.ofHours(6);

    /// The part of the life over which renewals are spread: one of so many.
    static final int SPREAD = 30;

    /// The part of a pause that is added at random at most: one of so many.
    static final int PAUSE_SPREAD = 4;

    private final RandomGenerator random;

    /// @param random so that many servers do not ask an authority at the same time
    RenewalSchedule(RandomGenerator random) {
        this.random = random;
    }

    /// Returns when a certificate is to be renewed: after two thirds of its life, or a little later.
    Instant renewal(Instant begin, Instant end) {
        Duration life = Duration.between(begin, end);
        return begin.plus(life.multipliedBy(2).dividedBy(3)).plus(part(life.dividedBy(SPREAD)));
    }

    /// Returns when to try again.
    ///
    /// @param failures how many attempts have failed in a row, from 1
    Instant retry(Instant now, int failures) {
        Duration pause = pause(failures);
        return now.plus(pause).plus(part(pause.dividedBy(PAUSE_SPREAD)));
    }

    /// Returns the last moment that [#retry] may choose. A later one was named by an authority.
    static Instant latestRetry(Instant failed, int failures) {
        Duration pause = pause(failures);
        return failed.plus(pause).plus(pause.dividedBy(PAUSE_SPREAD));
    }

    private static Duration pause(int failures) {
        Duration pause = FIRST_PAUSE;
        for (int i = 1; i < failures && pause.compareTo(LONGEST_PAUSE) < 0; i++) {
            pause = pause.multipliedBy(2);
        }
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private Duration part(Duration most) {
        long millis = most.toMillis();
        return millis <= 0 ? Duration.ZERO : Duration.ofMillis(random.nextLong(millis));
    }
}
