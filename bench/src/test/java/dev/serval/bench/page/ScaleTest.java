package dev.serval.bench.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.serval.bench.report.Chart;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ScaleTest {
    private static Scale linear(Double... values) {
        return Scale.of(new Chart.Axis("a", "u", false), List.of(values), 5);
    }

    private static Scale logarithmic(Double... values) {
        return Scale.of(new Chart.Axis("a", "u", true), List.of(values), 5);
    }

    private static String labels(Scale scale) {
        return scale.ticks().stream().map(Scale.Tick::label).collect(Collectors.joining(" "));
    }

    @Test
    void linearScaleBeginsAtZeroAndEndsAtATick() {
        Scale scale = linear(12.0, 430.0);
        assertThat(labels(scale)).isEqualTo("0 100 200 300 400 500");
        assertThat(scale.share(0)).isZero();
        assertThat(scale.share(250)).isEqualTo(0.5);
        assertThat(labels(linear(-3.0, 10.0))).isEqualTo("-5 0 5 10");
    }

    @Test
    void logarithmicScaleHasWholeDecades() {
        Scale scale = logarithmic(0.3, 20.0);
        assertThat(labels(scale)).isEqualTo("0.1 1 10 100");
        assertThat(scale.share(10)).isCloseTo(2 / 3.0, within(1e-9));
        assertThat(labels(logarithmic(2.0, 30.0))).isEqualTo("1 2 5 10 20 50 100");
        assertThat(labels(logarithmic(1e-6, 1e6))).hasSizeLessThan(50);
    }

    @Test
    void valueWithoutAPlaceHasNoShare() {
        assertThat(logarithmic(0.0, 20.0).share(0)).isNaN();
        assertThat(linear(1.0).share(Double.NaN)).isNaN();
        assertThat(linear(1.0).share(Double.POSITIVE_INFINITY)).isNaN();
    }

    @Test
    void percentilesAreAsFarFromOneAnother() {
        Scale scale =
                Scale.of(
                        new Chart.Axis("percentile", Chart.PERCENTILE, true),
                        List.of(50.0, 99.9),
                        5);
        assertThat(labels(scale)).isEqualTo("0 50 90 99 99.9");
        assertThat(scale.share(90)).isCloseTo(1 / 3.0, within(1e-9));
        assertThat(scale.share(99)).isCloseTo(2 / 3.0, within(1e-9));
        assertThat(scale.share(100)).isFinite();
    }

    @Test
    void axisWithoutValuesHasAScale() {
        assertThat(linear().ticks()).isNotEmpty();
        assertThat(logarithmic().ticks()).isNotEmpty();
        assertThat(linear(0.0).ticks()).isNotEmpty();
    }

    @Test
    void numbersHaveAboutThreeDigits() {
        assertThat(Numbers.of(0.01234)).isEqualTo("0.0123");
        assertThat(Numbers.of(3.456)).isEqualTo("3.46");
        assertThat(Numbers.of(34.56)).isEqualTo("34.6");
        assertThat(Numbers.of(20)).isEqualTo("20");
        assertThat(Numbers.of(1250)).isEqualTo("1,250");
        assertThat(Numbers.of(25_000_000)).isEqualTo("25M");
        assertThat(Numbers.of(0)).isEqualTo("0");
        assertThat(Numbers.of(Double.NaN)).isEqualTo("–");
    }
}
