package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.serval.bench.report.BeforeResult.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BeforeResultTest {
    private static final double GATE = 1.03;

    /// The critical values of Wilcoxon's signed-rank test at 5 %, two-sided, as its tables have
    /// them: 0 for 6 pairs, 8 for 10, 25 for 15, 52 for 20. With 5 pairs it rejects nothing.
    @Test
    void rejectsAsManySumsAsTheTablesOfTheTest() {
        assertThat(List.of(0, 5, 6, 10, 15, 20))
                .extracting(BeforeResult::rejected)
                .containsExactly(0, 0, 1, 9, 26, 53);
    }

    /// With 6 pairs the interval goes from the least ratio to the greatest.
    @Test
    void estimatesTheMedianOfMeansOfPairs() {
        BeforeResult result = of(1.0, 1.1, 1.2, 1.3, 1.4, 8.0);
        assertThat(result.ratio()).isBetween(1.2, 1.35);
        assertThat(result.low()).isEqualTo(1.0, offset(1e-9));
        assertThat(result.high()).isEqualTo(8.0, offset(1e-9));
    }

    @Test
    void exchangingTheBuildsGivesTheReciprocal() {
        BeforeResult one = noisy(1.05, 15, 3);
        BeforeResult other =
                BeforeResult.of("x", one.ratios().stream().map(ratio -> 1 / ratio).toList(), GATE);
        // The median of an even number of means is the mean of the middle two, which is no
        // reciprocal.
        assertThat(other.ratio()).isEqualTo(1 / one.ratio(), offset(1e-5));
        assertThat(other.low()).isEqualTo(1 / one.high(), offset(1e-9));
        assertThat(other.high()).isEqualTo(1 / one.low(), offset(1e-9));
    }

    @Test
    void fewPairsDecideNothing() {
        BeforeResult result = of(2.0, 2.0, 2.0, 2.0, 2.0);
        assertThat(result.ratio()).isEqualTo(2.0);
        assertThat(result.change()).isEqualTo(Change.UNDECIDED);
        assertThat(of().ratio()).isNaN();
        assertThat(of().change()).isEqualTo(Change.UNDECIDED);
    }

    @Test
    void onlyAWholeIntervalAboveTheGateIsSlower() {
        assertThat(result(1.031, 1.06).change()).isEqualTo(Change.SLOWER);
        assertThat(result(1.03, 1.06).change()).isEqualTo(Change.UNDECIDED);
        assertThat(result(0.99, 1.031).change()).isEqualTo(Change.UNDECIDED);
        assertThat(result(0.99, 1.03).change()).isEqualTo(Change.WITHIN);
        assertThat(result(0.95, 1.0).change()).isEqualTo(Change.WITHIN);
        assertThat(result(0.95, 0.999).change()).isEqualTo(Change.FASTER);
    }

    /// Noise of 2 % in each round, from a fixed seed for each of 200 runs.
    @Test
    void noiseIsNotSlower() {
        assertThat(share(1.0, Change.SLOWER)).isZero();
        assertThat(share(1.03, Change.SLOWER)).isLessThan(0.05);
    }

    @Test
    void fivePercentAreSlower() {
        assertThat(share(1.05, Change.SLOWER)).isGreaterThan(0.6);
        assertThat(share(1.08, Change.SLOWER)).isGreaterThan(0.99);
    }

    @Test
    void nineteenOfTwentyIntervalsHaveTheTrueRatio() {
        int hits = 0;
        for (int seed = 0; seed < 1000; seed++) {
            BeforeResult result = noisy(1.02, 15, seed);
            hits += result.low() <= 1.02 && result.high() >= 1.02 ? 1 : 0;
        }
        assertThat(hits).isBetween(930, 970);
    }

    /// A round in which another program took the CPU.
    @Test
    void oneWildRoundChangesLittle() {
        List<Double> ratios = new ArrayList<>(noisy(1.0, 15, 7).ratios());
        ratios.set(4, 3.0);
        BeforeResult result = BeforeResult.of("x", ratios, GATE);
        assertThat(result.ratio()).isBetween(0.98, 1.02);
        assertThat(result.high()).isLessThan(1.06);
        assertThat(result.change()).isNotEqualTo(Change.SLOWER);
    }

    private static double share(double truth, Change change) {
        int hits = 0;
        for (int seed = 0; seed < 200; seed++) {
            hits += noisy(truth, 15, seed).change() == change ? 1 : 0;
        }
        return hits / 200.0;
    }

    private static BeforeResult noisy(double truth, int pairs, long seed) {
        Random random = new Random(seed);
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < pairs; i++) {
            double subject = truth * (1 + 0.02 * random.nextGaussian());
            ratios.add(subject / (1 + 0.02 * random.nextGaussian()));
        }
        return BeforeResult.of("x", ratios, GATE);
    }

    private static BeforeResult result(double low, double high) {
        return new BeforeResult("x", List.of(), GATE, (low + high) / 2, low, high);
    }

    private static BeforeResult of(Double... ratios) {
        return BeforeResult.of("x", List.of(ratios), GATE);
    }
}
