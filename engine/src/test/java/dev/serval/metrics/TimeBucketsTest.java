package dev.serval.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeBucketsTest {
    private static final int LAST = TimeBuckets.COUNT - 1;

    @Test
    void boundBelongsToItsBucketAndOneMoreToTheNext() {
        for (int bucket = 0; bucket < LAST; bucket++) {
            long bound = TimeBuckets.boundNanos(bucket);
            assertThat(TimeBuckets.of(bound)).as("%d ns", bound).isEqualTo(bucket);
            assertThat(TimeBuckets.of(bound + 1)).as("%d ns", bound + 1).isEqualTo(bucket + 1);
        }
    }

    @Test
    void anyTimeIsInTheFirstBucketThatReachesIt() {
        Random random = new Random(1);
        for (int i = 0; i < 200_000; i++) {
            long nanos = random.nextLong() >>> (1 + random.nextInt(62));
            assertThat(TimeBuckets.of(nanos)).as("%d ns", nanos).isEqualTo(slowly(nanos));
        }
    }

    @Test
    void boundsGrowByLessThanFifteenPercent() {
        for (int bucket = 1; bucket < LAST; bucket++) {
            double ratio =
                    (double) TimeBuckets.boundNanos(bucket) / TimeBuckets.boundNanos(bucket - 1);
            assertThat(ratio).isBetween(1.1, 1.15);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000, 250_000, 500_000, 2_500_000, 1_000_000_000, 1_000_000_000_000L})
    void roundNumbersAreBounds(long nanos) {
        assertThat(TimeBuckets.boundNanos(TimeBuckets.of(nanos))).isEqualTo(nanos);
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 999})
    void timesBelowTheFirstBoundAreInTheFirstBucket(long nanos) {
        assertThat(TimeBuckets.of(nanos)).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {1_000_000_000_001L, 5_000_000_000_000L, Long.MAX_VALUE})
    void timesBeyondTheLastBoundAreInTheLastBucket(long nanos) {
        assertThat(TimeBuckets.of(nanos)).isEqualTo(LAST);
        assertThat(TimeBuckets.boundNanos(LAST)).isEqualTo(Long.MAX_VALUE);
    }

    private static int slowly(long nanos) {
        int bucket = 0;
        while (TimeBuckets.boundNanos(bucket) < nanos) {
            bucket++;
        }
        return bucket;
    }
}
