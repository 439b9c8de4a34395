package dev.serval.servlet.password;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Permits that are given back, also those that were taken on the way to another one.
final class HashPermitsTest {
    private static final SecurityLimits TWO =
            new SecurityLimits(8192, 10, 1, 2, 10, 0, 10, 1, 10, 10, 1, 10);

    private final HashPermits permits = new HashPermits(TWO, () -> 0);

    @Test
    void suspectCheckThatGetsNoPermitKeepsNone() {
        assertThat(permits.acquire(false)).isTrue();
        assertThat(permits.acquire(false)).isTrue();
        assertThat(permits.acquire(true)).as("while others have all permits").isFalse();
        permits.release(false);
        permits.release(false);
        assertThat(permits.acquire(true)).isTrue();
    }

    @Test
    void suspectChecksShareHalfOfThePermits() {
        assertThat(permits.acquire(true)).isTrue();
        assertThat(permits.acquire(true)).isFalse();
        assertThat(permits.acquire(false)).isTrue();
        permits.release(true);
        assertThat(permits.acquire(true)).isTrue();
    }
}
