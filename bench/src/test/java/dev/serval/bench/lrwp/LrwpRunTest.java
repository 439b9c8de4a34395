package dev.serval.bench.lrwp;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.page.ReportText;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.RampResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.report.TableResult;
import dev.serval.bench.run.Recorder;
import dev.serval.bench.scenario.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
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
                        Path.of("../examples/osp/client/osp_client.c"),
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
                .as(report.gaps().toString())
                .containsExactly(
                        "echo-ratio",
                        "echo-cpu",
                        "echo-p99",
                        "echo-rate",
                        "echo-xitami",
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
        assertThat(report.cells().get(4).gaps())
                .extracting(Gap::text)
                .containsExactly("not measured: it needs a build of Xitami 2.5: --xitami FILE");
        SingleResult pieces = (SingleResult) report.cells().get(5);
        assertThat(pieces.values()).hasSize(1).allMatch(v -> v > 0);
        assertThat(pieces.gate()).isEqualTo(1e6 / 3_000);
        TableResult calls = (TableResult) report.cells().getLast();
        assertThat(calls.rows())
                .extracting(row -> row.measure() + " " + row.unit())
                .containsExactly(
                        "calls per minute 1/min",
                        "CPU of the web server %",
                        "CPU of the OSP server %",
                        "CPU of the clients %");
        assertThat(calls.rows()).allSatisfy(row -> assertThat(median(row)).isPositive());
        assertThat(calls.remarks().getFirst()).contains("the OSP server counted the same messages");
        assertThat(calls.published())
                .extracting(old -> old.server() + " " + old.measure() + " " + old.value())
                .containsExactly(
                        "Xitami calls per minute 12880.0",
                        "Xitami CPU of the web server 34.0",
                        "Xitami CPU of the OSP server 44.0",
                        "GlassFish calls per minute 20578.0",
                        "GlassFish CPU of the web server 26.0",
                        "GlassFish CPU of the OSP server 66.0");
    }

    @Test
    void clientsHaveTheMixOfThePaperAndSilentOnesBesideAndThoseOfTheToolkit() throws IOException {
        Set<Integer> all = new Proc(Path.of("/proc")).allowedCpus();
        assumeThat(all).as("needs Linux and two CPUs").hasSizeGreaterThan(1);
        assumeThat(Toolkit.missing()).as("needs osptk (Debian package libosptk-dev)").isEmpty();
        List<String> cells = List.of("osp-2-apart", "osp-2-silent", "osp-2-toolkit");
        Report report = run().measured(cells, Cpus.unpinned(all));
        assertThat(report.gaps()).isEmpty();
        assertThat(report.cells()).extracting(CellResult::cell).isEqualTo(cells);
        assertThat(report.cells())
                .allSatisfy(cell -> assertThat(median(cell.rows().getFirst())).isPositive());
        assertThat(report.cells().get(1).remarks().getFirst()).contains("silent connections");
        // The tables of all cells are one.
        assertThat(new ReportText(report).tables().values())
                .anySatisfy(table -> assertThat(table.rows()).hasSize(3));
    }

    @Test
    void heapsAndCollectorsAreThoseOfThePaper() {
        List<LrwpCell> one =
                LrwpCell.ALL.stream().filter(cell -> cell.name().matches("osp-1-.*m")).toList();
        assertThat(one)
                .extracting(LrwpCell::name)
                .containsExactly(
                        "osp-1-serial-1400m",
                        "osp-1-serial-3400m",
                        "osp-1-parallel-1400m",
                        "osp-1-parallel-3400m",
                        "osp-1-g1-1400m",
                        "osp-1-g1-3400m",
                        "osp-1-zgc-1400m",
                        "osp-1-zgc-3400m");
        assertThat(one.get(3).jvm())
                .contains("-XX:+UseParallelGC", "-Xms3400m", "-Xmx3400m", "-Xmn256m");
        assertThat(LrwpCell.ALL)
                .extracting(LrwpCell::name)
                .contains("osp-1", "osp-1-signed", "osp-4-toolkit");
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

    @Test
    void memoryOfBothHeapsIsNeeded() throws IOException {
        Cpus two = Cpus.unpinned(Set.of(0, 1));
        LrwpCell large =
                LrwpCell.ALL.stream()
                        .filter(cell -> cell.name().equals("osp-2-g1-3400m"))
                        .findFirst()
                        .orElseThrow();
        assertThat(LrwpRun.missing(large, two, 8799)).contains("it needs 8800 MB of memory");
        assertThat(LrwpRun.missing(large, two, 8800)).isEmpty();
    }

    @Test
    void clientsOfThePaperSendOneKindOfMessageEach() throws IOException {
        List<PostLoad.Sender> apart =
                OspRun.senders(LrwpCell.Load.APART, new Numbers(1_000_000_000L));
        assertThat(apart).allSatisfy(sender -> assertThat(sender.turns()).hasSize(1));
        assertThat(apart.stream().map(LrwpRunTest::kind))
                .hasSize(50)
                .satisfies(kinds -> {
                    assertThat(Collections.frequency(kinds, "authorization")).isEqualTo(10);
                    assertThat(Collections.frequency(kinds, "source")).isEqualTo(10);
                    assertThat(Collections.frequency(kinds, "destination")).isEqualTo(30);
                });
        assertThat(OspRun.senders(LrwpCell.Load.IN_TURN, new Numbers(1_000_000_000L)))
                .allSatisfy(sender -> assertThat(sender.turns()).hasSize(5));
    }

    private static String kind(PostLoad.Sender sender) {
        byte[] message = sender.turns().getFirst().requests().next();
        String text = new String(message, StandardCharsets.US_ASCII);
        return text.contains("AuthorizationRequest")
                ? "authorization"
                : text.contains("source</Role>") ? "source" : "destination";
    }

    private static double median(Row row) {
        return requireNonNull(row.values().get("serval")).median();
    }
}
