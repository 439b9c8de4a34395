package dev.serval.bench.lrwp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.RampResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.run.Recorder;
import dev.serval.bench.scenario.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Runs one round of echo and of OSP calls with the classes of this build. The test checks how
/// figures are made, not their values.
@Timeout(120)
final class LrwpRunTest {
    private static final Settings TINY = new Settings(1, 1, 0, 0.03, 1.0, 1.0, 0, 1.03);

    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    private LrwpRun run() {
        LrwpPrograms programs =
                new LrwpPrograms(
                        classes("dev.serval.server.Main"),
                        classes("dev.serval.examples.osp.OspMain"),
                        List.of("--enable-native-access=ALL-UNNAMED"),
                        "classes",
                        null);
        return new LrwpRun(
                programs, TINY, new PrintStream(text, true, StandardCharsets.UTF_8), Recorder.NONE);
    }

    private static List<String> classes(String main) {
        String path =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        return List.of("-cp", path, main);
    }

    @Test
    void echoHasARampOfRates() throws IOException {
        Set<Integer> all = new Proc(Path.of("/proc")).allowedCpus();
        assumeThat(all).as("needs Linux and two CPUs").hasSizeGreaterThan(1);
        Report report = run().measured(List.of("ramp"), Cpus.unpinned(all));
        RampResult result = (RampResult) report.cells().getFirst();
        assertThat(result.cell()).isEqualTo("ramp");
        RampResult.Server server = result.servers().getFirst();
        assertThat(server.failure()).isNull();
        assertThat(server.steps().getFirst().planned()).isEqualTo(50);
        assertThat(server.steps().getFirst().replies().mean()).isPositive();
    }

    @Test
    void echoAndCallsHaveFigures() throws IOException {
        Set<Integer> all = new Proc(Path.of("/proc")).allowedCpus();
        assumeThat(all).as("needs Linux and two CPUs").hasSizeGreaterThan(1);
        Report report =
                run().measured(List.of("echo", "echo-two-writes", "osp-2"), Cpus.unpinned(all));
        assertThat(report.cells())
                .extracting(CellResult::cell)
                .containsExactly(
                        "echo-ratio",
                        "echo-cpu",
                        "echo-p99",
                        "echo-rate",
                        "echo-two-writes",
                        "osp-2");
        for (CellResult cell : report.cells().subList(0, 4)) {
            assertThat(((PeersResult) cell).peers())
                    .as(cell.cell())
                    .isNotEmpty()
                    .allSatisfy(peer -> assertThat(peer.values()).hasSize(1).allMatch(v -> v > 0));
        }
        PeersResult ratio = (PeersResult) report.cells().getFirst();
        assertThat(ratio.limit().gate()).isEqualTo(2.2);
        assertThat(ratio.limit().aim()).isEqualTo(1.8);
        SingleResult pieces = (SingleResult) report.cells().get(4);
        assertThat(pieces.values()).hasSize(1).allMatch(v -> v > 0);
        assertThat(pieces.gate()).isEqualTo(1e6 / 3_000);
        SingleResult calls = (SingleResult) report.cells().getLast();
        assertThat(calls.values()).hasSize(1).allMatch(v -> v > 0);
        assertThat(calls.note()).contains("the OSP server counted the same messages");
    }

    @Test
    void cellsThatTheMachineIsTooSmallForAreNotMeasured() throws IOException {
        Report report = run().measured(List.of("osp-1", "osp-2"), Cpus.unpinned(Set.of(0)));
        assertThat(report.gaps())
                .extracting(gap -> gap.cell() + " " + gap.text())
                .containsExactly(
                        "osp-1 not measured: it needs taskset and this many CPUs: 1",
                        "osp-2 not measured: it needs taskset and this many CPUs: 2");
        assertThat(report.passed()).isTrue();
    }
}
