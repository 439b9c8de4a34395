package dev.serval.live;

import static dev.serval.policy.LoadMode.CRITICAL;
import static dev.serval.policy.LoadMode.LIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.live.ModeBand.Stretch;
import dev.serval.policy.LoadMode;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The band of load modes below the charts.
final class ModeBandTest {
    private static ModeBand band(List<Integer> ages, LoadMode... modes) {
        return ModeBand.of(Span.TEN_MINUTES, ages, List.of(modes));
    }

    @Test
    void momentsOfOneModeAreOneStretch() {
        assertThat(band(List.of(3, 2, 1, 0), LIGHT, CRITICAL, CRITICAL, LIGHT).stretches())
                .containsExactly(
                        new Stretch(4, 3, LIGHT),
                        new Stretch(3, 1, CRITICAL),
                        new Stretch(1, 0, LIGHT));
    }

    @Test
    void stretchEndsWhereNothingWasSampled() {
        assertThat(band(List.of(20, 15, 9), LIGHT, LIGHT, LIGHT).stretches())
                .containsExactly(new Stretch(21, 15, LIGHT), new Stretch(10, 9, LIGHT));
    }

    @Test
    void bandBeginsWithTheSpan() {
        assertThat(band(List.of(600, 599), LIGHT, CRITICAL).stretches())
                .containsExactly(new Stretch(600, 600, LIGHT), new Stretch(600, 599, CRITICAL));
    }

    @Test
    void tellsHowLongEachModeWasInForce() {
        ModeBand band = band(List.of(3, 2, 1, 0), CRITICAL, LIGHT, CRITICAL, CRITICAL);
        assertThat(band.times())
                .containsEntry(CRITICAL, "0 min 3 s")
                .containsEntry(LIGHT, "0 min 1 s");
        assertThat(band.times()).hasSize(2);
    }

    @Test
    void higherModeIsHigherInTheBand() {
        assertThat(LoadMode.values())
                .extracting(ModeBand::height)
                .isSorted()
                .doesNotHaveDuplicates();
    }

    @Test
    void spanIsThatOfTheQuery() {
        assertThat(Span.of("1h")).isEqualTo(Span.HOUR);
        assertThat(Span.of("1d").seconds()).isEqualTo(24 * 60 * 60);
        assertThat(Span.of(null)).isEqualTo(Span.TEN_MINUTES);
        assertThat(Span.of("<")).isEqualTo(Span.TEN_MINUTES);
    }
}
