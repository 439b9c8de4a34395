package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.page.ReportText;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class OverloadResultTest {
    private static OverloadResult.Step step(double multiple, double goodput, double recovery) {
        return new OverloadResult.Step(
                multiple,
                100 * multiple,
                goodput,
                12.5,
                Map.of("503", 7L),
                0.4,
                0,
                false,
                recovery,
                false);
    }

    private static OverloadResult of(OverloadResult.Step... steps) {
        return with(null, steps);
    }

    private static OverloadResult with(@Nullable String failure, OverloadResult.Step... steps) {
        return new OverloadResult(
                "cpu-5",
                "a servlet",
                "serval",
                0.9,
                1,
                List.of(new OverloadResult.Server("serval", 100, List.of(steps), failure)),
                List.of("8 s for each step"));
    }

    @Test
    void goodputBeyondTheCapacityIsComparedWithThePeak() {
        assertThat(of(step(1, 100, 0), step(2, 90, 0)).verdict()).isEqualTo(Verdict.PASS);
        assertThat(of(step(1, 100, 0), step(2, 89.9, 0)).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(of(step(0.5, 50, 0), step(1, 100, 0)).verdict()).isEqualTo(Verdict.NONE);
    }

    @Test
    void recoveryHasALimitAndMustHappen() {
        assertThat(of(step(2, 100, 1)).verdict()).isEqualTo(Verdict.PASS);
        assertThat(of(step(2, 100, 1.05)).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(of(step(2, 100, Double.NaN)).verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void onlyTheSubjectFailsTheCell() {
        assertThat(with("did not start").verdict()).isEqualTo(Verdict.FAIL);
        OverloadResult other =
                new OverloadResult(
                        "a",
                        "a",
                        "serval",
                        0.9,
                        1,
                        List.of(
                                new OverloadResult.Server(
                                        "tomcat", 100, List.of(step(2, 1, 9)), null)),
                        List.of());
        assertThat(other.verdict()).isEqualTo(Verdict.NONE);
    }

    @Test
    void loadThatTheGeneratorDidNotMakeSaysNothingOfTheServer() {
        OverloadResult.Step late =
                new OverloadResult.Step(
                        10, 1000, 1, 12.5, Map.of("503", 0L), Double.NaN, 0.2, true, 9, true);
        OverloadResult result = of(step(1, 100, 0), late);
        assertThat(result.verdict()).isEqualTo(Verdict.NONE);
        ReportText text = new ReportText(Samples.report("", List.of(result)));
        assertThat(text.notes())
                .anyMatch(
                        note -> note.startsWith("cpu-5, serval × 10: the generator was at its end"))
                .contains("cpu-5: 8 s for each step");
        assertThat(Objects.requireNonNull(text.tables().get("Overload, cpu-5: a servlet")).text())
                .contains("~serval × 10", "20.0", "503", "÷ peak");
    }

    @Test
    void failedServerHasNoRowButAGap() {
        OverloadResult result = with("did not start");
        assertThat(new ReportText(Samples.report("", List.of(result))).tables())
                .containsOnlyKeys("Failed or not measured");
        assertThat(result.gaps()).containsExactly(Gap.failed("cpu-5", "serval", "did not start"));
    }
}
