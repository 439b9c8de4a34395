package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AcceptRateTest {
    private static final long MILLI = 1_000_000;

    private final AcceptRate rate = new AcceptRate(-1000 * MILLI);

    private void count(long millis, int connections) {
        for (int i = 0; i < connections; i++) {
            rate.count(millis * MILLI);
        }
    }

    @Test
    void countsThisWindowAndTheOneBefore() {
        count(1000, 5);
        assertThat(rate.lately(1000 * MILLI)).isEqualTo(5);
        assertThat(rate.lately(1199 * MILLI)).isEqualTo(5);
        count(1199, 2);
        assertThat(rate.lately(1200 * MILLI)).isEqualTo(2);
        count(1250, 1);
        assertThat(rate.lately(1299 * MILLI)).isEqualTo(3);
    }

    @Test
    void forgetsAllAfterTwoWindows() {
        count(1000, 5);
        count(1150, 5);
        assertThat(rate.lately(1300 * MILLI)).isZero();
        count(1310, 1);
        assertThat(rate.lately(1399 * MILLI)).isEqualTo(1);
    }
}
