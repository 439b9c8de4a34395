package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.OverloadResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Runs the smallest cell with Tomcat as the subject. The test checks how figures are made, not
/// their values.
@Timeout(120)
final class OverloadRunTest {
    private static final List<Cell> CELLS =
            List.of(
                    new Cell.Overload(
                            "burn", "burn", 500, List.of(0.2, 0.4), 3, 5000, 5000, 0.9, 1));

    @Test
    void eachMultipleHasFigures(@TempDir Path peers) throws IOException {
        Report report = new TinyRun(CELLS, Map.of(Scenario.FLOOR, 13)).run(CELLS, peers);
        OverloadResult result = (OverloadResult) report.cells().getFirst();
        assertThat(result.notes()).anyMatch(note -> note.contains("the generator's ceiling is "));
        OverloadResult.Server server = result.servers().getFirst();
        assertThat(server.failure()).isNull();
        assertThat(server.capacity()).isPositive();
        assertThat(server.steps()).hasSize(2);
        for (OverloadResult.Step step : server.steps()) {
            assertThat(step.goodput()).isPositive().isLessThanOrEqualTo(step.offered());
            assertThat(step.p99Millis()).isPositive();
            assertThat(step.ends()).containsKeys("503", "429", "reset", "refused", "timeout");
        }
        assertThat(server.steps().getLast().offered())
                .isGreaterThan(server.steps().getFirst().offered());
    }
}
