package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.page.ReportText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LatencyResultTest {
    private static final Environment ENVIRONMENT =
            new Environment("", "abc", "6.1", "CPU", "pinned", 1, "25", Map.of(), Map.of());

    @Test
    void showsBothServersBesideThePrototype() {
        LatencyResult.Published prototype =
                new LatencyResult.Published(4, null, new LatencyResult.Millis(0.8, 5, 14));
        String text =
                text(
                        new LatencyResult(
                                "spin",
                                "Spin",
                                List.of(
                                        new LatencyResult.Step(
                                                1, measured(24.6, 0), measured(0.25, 0), null),
                                        new LatencyResult.Step(
                                                4, measured(100, 3), measured(0.5, 0), prototype)),
                                null));
        assertThat(text)
                .containsPattern("spin × 1 +25 / 49 / 74 +0\\.3 / 0\\.5 / 0\\.8 +– +–\n")
                .containsPattern(
                        "spin × 4 +~100 / 200 / 300 +0\\.5 / 1\\.0 / 1\\.5 +– +0\\.8 / 5\\.0 / 14\n")
                .contains("- spin × 4 without preemption: 3 of 1000 requests timed out;")
                .contains("- other processes took too much CPU time (~): spin × 4\n")
                .contains("- spin: Spin\n");
    }

    @Test
    void failureFailsTheReport() {
        LatencyResult failed = new LatencyResult("spin", "Spin", List.of(), "no server");
        assertThat(report(failed).passed()).isFalse();
        assertThat(text(failed)).containsPattern("spin +all +failed: no server\n");
    }

    private static LatencyResult.Measured measured(double millis, int unanswered) {
        return new LatencyResult.Measured(
                new LatencyResult.Millis(millis, 2 * millis, 3 * millis),
                1000,
                unanswered,
                50,
                0,
                unanswered > 0);
    }

    private static String text(LatencyResult result) {
        return new ReportText(report(result)).text();
    }

    private static Report report(LatencyResult result) {
        return new Report(
                "workers", "Workers", "", ENVIRONMENT, List.of(), List.of(result), List.of());
    }
}
