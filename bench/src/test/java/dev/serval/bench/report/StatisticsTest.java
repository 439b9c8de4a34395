package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void medianOfOddCountIsTheMiddle() {
        assertThat(Statistics.of(List.of(9.0, 1.0, 2.0))).isEqualTo(new Statistics(2, 1, 9));
    }

    @Test
    void medianOfEvenCountIsTheMean() {
        assertThat(Statistics.of(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Statistics(3, 1, 9));
    }

    @Test
    void emptyListGivesNaN() {
        assertThat(Statistics.of(List.of()).median()).isNaN();
    }

    @Test
    void oneUnknownFigureLeavesNone() {
        assertThat(Statistics.of(List.of(1.0, Double.NaN, 3.0))).isEqualTo(Statistics.NONE);
    }

    @Test
    void nearOnlyBelowTheShare() {
        assertThat(Statistics.near(100, 102.9, 0.03)).isTrue();
        assertThat(Statistics.near(103.1, 100, 0.03)).isFalse();
        assertThat(Statistics.near(100, Double.NaN, 0.03)).isFalse();
    }

    @Test
    void meanAndDeviationAreThoseOfASample() {
        double[] figures = {2, 4, 4, 4, 5, 5, 7, 9};
        assertThat(Statistics.mean(figures)).isEqualTo(5);
        assertThat(Statistics.deviation(figures)).isEqualTo(Math.sqrt(32.0 / 7), offset(1e-9));
        assertThat(Statistics.mean(new double[0])).isNaN();
        assertThat(Statistics.deviation(new double[] {1})).isNaN();
    }

    @Test
    void rangeWithoutFiguresIsADash() {
        assertThat(Digits.range(Statistics.of(List.of()), 2)).isEqualTo("–");
        assertThat(Digits.range(Statistics.of(List.of(1.0, 3.0)), 2)).isEqualTo("2.00 (1.00–3.00)");
    }
}
