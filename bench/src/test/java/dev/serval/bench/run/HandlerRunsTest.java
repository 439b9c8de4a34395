package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.hello.Hog;
import dev.serval.bench.hello.Way;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.HelloPeer;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LatencyResult;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Runs scenario `workers` with real servers and the smallest cells. The tests check how figures
/// are made, not their values.
@Timeout(240)
class HandlerRunsTest {
    private static final Settings TINY = new Settings(1, 1, 1, 0.03, 1.0, 1.0, 1, 1.03);

    private static final List<Cell> CELLS =
            List.of(
                    Cell.Load.plain("hello", "hello", "hello", 2, Cell.ClientKind.OWN, Gate.NONE),
                    new Cell.Allocated("allocated", "allocated", "hello", 1e9),
                    new Cell.Rest("rest", "rest", "hello", 1, 1e9),
                    new Cell.Loops("loops", "loops", "hello"),
                    new Cell.Latency(
                            "beside-spin",
                            "beside-spin",
                            "4k.bin",
                            4,
                            100,
                            Hog.SPIN,
                            List.of(2),
                            List.of(new LatencyResult.Published(2, null, null))));

    private static final Scenario SCENARIO =
            new Scenario(
                    "tiny",
                    "Tiny",
                    "",
                    false,
                    Map.of("hello", 13, "4k.bin", 4096, Hog.FILE, 100),
                    Map.of(),
                    Stream.of(Way.values()).map(way -> peer(way).name()).toList(),
                    "worker",
                    List.of("loop"),
                    "",
                    CELLS);

    @Test
    void everyCellHasFigures() throws IOException {
        Report report = run(CELLS, peer(Way.WORKER), peer(Way.LOOP));
        assertThat(report.cells())
                .extracting(CellResult::cell)
                .containsExactly("hello", "allocated", "rest", "loops", "beside-spin");
        LoadResult hello = (LoadResult) report.cells().get(0);
        assertThat(hello.figures()).allMatch(f -> f.failure() == null);
        assertThat(hello.ratio()).isPositive();
        for (CellResult cell : report.cells().subList(1, 4)) {
            SingleResult single = (SingleResult) cell;
            assertThat(single.failure()).as(single.cell()).isNull();
            assertThat(single.values()).as(single.cell()).hasSize(1).allMatch(v -> v > 0);
        }
        LatencyResult beside = (LatencyResult) report.cells().get(4);
        assertThat(beside.failure()).isNull();
        assertThat(beside.verdict()).isEqualTo(Verdict.NONE);
        assertThat(beside.steps())
                .singleElement()
                .satisfies(row -> {
                    assertThat(row.prototype()).isNotNull();
                    assertThat(row.with().requests()).isBetween(99L, 101L);
                    assertThat(row.with().hogRequests()).isPositive();
                    assertThat(row.without().requests()).isBetween(99L, 101L);
                    assertThat(row.without().preemptions()).isZero();
                });
    }

    @Test
    void measuresNothingWithoutTheSubject() throws IOException {
        Report report = run(CELLS.subList(1, 5), peer(Way.LOOP));
        assertThat(report.gaps())
                .hasSize(4)
                .allSatisfy(gap ->
                        assertThat(gap.text())
                                .isEqualTo("not measured: none of its peers takes part"));
        assertThat(report.passed()).isTrue();
    }

    private static HelloPeer peer(Way way) {
        return new HelloPeer(way, List.of());
    }

    private static Report run(List<Cell> cells, Peer... peers) throws IOException {
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        return new ScenarioRun(SCENARIO, TINY, List.of(peers), out, Recorder.NONE).run(cells, cpus);
    }
}
