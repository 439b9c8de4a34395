package dev.serval.acme;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RenewalScheduleTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final RandomGenerator LEAST = () -> 0;

    /// Returns the largest number below the bound.
    private static final RandomGenerator MOST =
            new RandomGenerator() {
                @Override
                public long nextLong() {
                    return -1;
                }

                @Override
                public long nextLong(long bound) {
                    return bound - 1;
                }
            };

    @Test
    void renewsAfterTwoThirdsOfTheLife() {
        Instant end = NOW.plus(Duration.ofDays(90));
        assertThat(new RenewalSchedule(LEAST).renewal(NOW, end))
                .isEqualTo(NOW.plus(Duration.ofDays(60)));
        assertThat(new RenewalSchedule(MOST).renewal(NOW, end))
                .isBetween(
                        NOW.plus(Duration.ofDays(63)).minusMillis(1),
                        NOW.plus(Duration.ofDays(63)));
    }

    @Test
    void certificateWithoutALifeIsRenewedAtOnce() {
        assertThat(new RenewalSchedule(MOST).renewal(NOW, NOW)).isEqualTo(NOW);
    }

    @ParameterizedTest
    @CsvSource({"1, 5", "2, 10", "3, 20", "6, 160", "7, 320", "8, 360", "9, 360", "1000000, 360"})
    void pausesDoubleUpToABound(int failures, int minutes) {
        Instant least = NOW.plus(Duration.ofMinutes(minutes));
        assertThat(new RenewalSchedule(LEAST).retry(NOW, failures)).isEqualTo(least);
        assertThat(new RenewalSchedule(MOST).retry(NOW, failures))
                .isAfter(least.plus(Duration.ofMinutes(minutes).dividedBy(5)))
                .isBefore(least.plus(Duration.ofMinutes(minutes).dividedBy(4)));
    }
}
