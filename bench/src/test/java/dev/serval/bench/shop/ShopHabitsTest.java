package dev.serval.bench.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class ShopHabitsTest {
    private static final int TIMES = 100_000;

    private final SplittableRandom random = new SplittableRandom(5);

    private static double mean(LongSupplier nanos) {
        return LongStream.generate(nanos).limit(TIMES).average().orElseThrow() / 1e9;
    }

    private static double max(LongSupplier nanos) {
        return LongStream.generate(nanos).limit(TIMES).max().orElseThrow() / 1e9;
    }

    @Test
    void thinkingIsExponential() {
        ShopHabits habits = new ShopHabits(8, 0, 900, 2, 2);
        assertThat(mean(() -> habits.thinkNanos(random))).isCloseTo(8, within(0.2));
        assertThat(max(() -> habits.thinkNanos(random))).isGreaterThan(70);
    }

    @Test
    void thinkingCanHaveALimit() {
        ShopHabits habits = new ShopHabits(7, 70, 900, 2, 2);
        assertThat(mean(() -> habits.thinkNanos(random))).isCloseTo(7, within(0.2));
        assertThat(max(() -> habits.thinkNanos(random))).isEqualTo(70);
    }

    /// The rules of TPC-W: 15 minutes on average, at most 60.
    @Test
    void sessionHasALimitOfFourTimesTheMean() {
        ShopHabits habits = new ShopHabits(8, 0, 900, 2, 2);
        assertThat(mean(() -> habits.sessionNanos(random))).isCloseTo(883, within(20.0));
        assertThat(max(() -> habits.sessionNanos(random))).isEqualTo(3600);
    }

    @Test
    void answerHasItsTime() {
        assertThat(new ShopHabits(8, 0, 900, 2, 2).limitNanos()).isEqualTo(2_000_000_000L);
    }
}
