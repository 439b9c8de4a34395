package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.Cell;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Runs the smallest cells with Tomcat as the subject. The test checks how figures are made, not
/// their values.
@Timeout(240)
class ContainerRunsTest {
    private static final List<Cell> CELLS =
            List.of(
                    Cell.Load.plain("hello", "hello", "hello", 2, Cell.ClientKind.OWN, Gate.NONE),
                    new Cell.Allocation("allocated", "allocated", "hello", 1e9, 1),
                    new Cell.Memory("memory", "memory", "hello", 1),
                    new Cell.Slow("slow", "slow", 1, 5, 0.1, 3, 1, "4k.bin", 1, 1e9, 1e9),
                    new Cell.Start("start", "start", Cell.WarKind.EMPTY, 1, 1e9, 0, 0));

    @Test
    void everyCellHasFigures(@TempDir Path peers) throws IOException {
        Report report =
                new TinyRun(CELLS, Map.of("4k.bin", 4096))
                        .run(CELLS.subList(1, CELLS.size()), peers);
        assertThat(report.cells())
                .extracting(CellResult::cell)
                .containsExactly(
                        "allocated",
                        "memory-resident",
                        "memory-heap",
                        "slow-rate",
                        "slow-p99",
                        "slow-file",
                        "start-first",
                        "start-second");
        for (CellResult cell : report.cells()) {
            assertThat(((PeersResult) cell).peers())
                    .as(cell.cell())
                    .isNotEmpty()
                    .allSatisfy(peer -> {
                        assertThat(peer.failure()).isNull();
                        assertThat(peer.values()).hasSize(1).allMatch(value -> value > 0);
                    });
        }
        PeersResult allocated = (PeersResult) report.cells().getFirst();
        assertThat(allocated.verdict()).isEqualTo(Verdict.PASS);
        assertThat(allocated.aimVerdict()).isEqualTo(Verdict.MISS);
        PeersResult slow = (PeersResult) report.cells().get(3);
        assertThat(slow.peers())
                .extracting(PeersResult.PeerValues::peer)
                .containsExactly("tomcat-threads", "tomcat-virtual");
    }
}
