package dev.serval.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class DistributionTest {
    private static final long MILLI = 1_000_000;

    @Test
    void hasCountAndExactSum() {
        Histogram histogram = new Histogram();
        histogram.record(3);
        histogram.record(7 * MILLI);
        histogram.record(2 * MILLI, 5);
        assertThat(histogram.read().count()).isEqualTo(7);
        assertThat(histogram.read().sumNanos()).isEqualTo(17 * MILLI + 3);
    }

    @Test
    void negativeTimeCountsAsZero() {
        Histogram histogram = new Histogram();
        histogram.record(-5);
        assertThat(histogram.read().count()).isEqualTo(1);
        assertThat(histogram.read().sumNanos()).isZero();
    }

    @Test
    void countsWhatIsNotLongerThanABound() {
        Histogram histogram = new Histogram();
        histogram.record(MILLI);
        histogram.record(MILLI + 1);
        histogram.record(5_000_000_000_000L);
        assertThat(histogram.read().countUpTo(MILLI)).isEqualTo(1);
        assertThat(histogram.read().countUpTo(2 * MILLI)).isEqualTo(2);
        assertThat(histogram.read().countUpTo(Long.MAX_VALUE)).isEqualTo(3);
        assertThat(histogram.read().countUpTo(999)).isZero();
    }

    @Test
    void quantilesAreRightWithinABucket() {
        Histogram histogram = new Histogram();
        for (int i = 1; i <= 10_000; i++) {
            histogram.record(i * 10_000L); // 10 µs to 100 ms, evenly
        }
        Distribution times = histogram.read();
        for (double part : new double[] {0.01, 0.5, 0.9, 0.99, 0.999, 1}) {
            double exact = part * 100 * MILLI;
            assertThat((double) times.quantileNanos(part)).isCloseTo(exact, within(exact * 0.06));
        }
    }

    @Test
    void quantileOfNothingIsZero() {
        assertThat(Distribution.NONE.quantileNanos(0.99)).isZero();
    }

    @Test
    void quantileOfEndlessTimesIsTheLastBound() {
        Histogram histogram = new Histogram();
        histogram.record(Long.MAX_VALUE / 2);
        assertThat(histogram.read().quantileNanos(0.5)).isEqualTo(1_000_000_000_000L);
    }

    @Test
    void addsAndSubtractsReadings() {
        Histogram one = new Histogram();
        one.record(MILLI);
        Distribution before = one.read();
        one.record(3 * MILLI);
        Distribution later = one.read().minus(before);
        assertThat(later.count()).isEqualTo(1);
        assertThat(later.sumNanos()).isEqualTo(3 * MILLI);
        assertThat(later.countUpTo(MILLI)).isZero();
        assertThat(later.plus(before).count()).isEqualTo(2);
        assertThat(later.plus(before).countUpTo(MILLI)).isEqualTo(1);
    }

    @Test
    void quantileOutsideOfItsRangeIsTheNearestOne() {
        Histogram histogram = new Histogram();
        histogram.record(3 * MILLI);
        histogram.record(300 * MILLI);
        Distribution times = histogram.read();
        assertThat(times.quantileNanos(-5)).isEqualTo(times.quantileNanos(0));
        assertThat(times.quantileNanos(5)).isEqualTo(times.quantileNanos(1));
    }

    /// Readings of several loops are not of one instant.
    @Test
    void differenceIsNeverLessThanNothing() {
        Histogram histogram = new Histogram();
        Distribution before = histogram.read();
        histogram.record(MILLI);
        Distribution passed = before.minus(histogram.read());
        assertThat(passed.count()).isZero();
        assertThat(passed.sumNanos()).isZero();
    }

    @Test
    void readingIsNotChangedByLaterTimes() {
        Histogram histogram = new Histogram();
        Distribution before = histogram.read();
        histogram.record(1);
        assertThat(before.count()).isZero();
    }
}
