package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Role;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.servlet.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
    private static final Settings TINY = new Settings(1, 1, 1, 0.03, 1.0, 1.0, 1, 1.03);

    private static final List<Cell> CELLS =
            List.of(
                    Cell.Load.plain("hello", "hello", "hello", 2, Cell.ClientKind.OWN, Gate.NONE),
                    new Cell.Allocation("allocated", "allocated", "hello", 1e9, 1),
                    new Cell.Memory("memory", "memory", "hello", 1),
                    new Cell.Slow("slow", "slow", 1, 5, 0.1, 3, 1, "4k.bin", 1, 1e9, 1e9),
                    new Cell.Start("start", "start", Cell.WarKind.EMPTY, 1, 1e9, 0, 0),
                    new Cell.Start("suite", "suite", Cell.WarKind.SUITE, 1, 0, 0, 0));

    private static final Scenario SCENARIO =
            new Scenario(
                    "tiny",
                    "Tiny",
                    "",
                    false,
                    Map.of("4k.bin", 4096, Scenario.FLOOR, 13),
                    Map.of(
                            "hello",
                            new Request("/hello", Request.Body.NONE, 0, Request.Answer.HELLO)),
                    List.of("tomcat"),
                    "tomcat",
                    List.of(),
                    "",
                    CELLS);

    @Test
    void everyCellHasFigures(@TempDir Path peers) throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        // Tomcat's classes are on the test's class path; the peer only looks for the file's name.
        Path jars = Files.createDirectory(peers.resolve("tomcat"));
        Files.createFile(jars.resolve("tomcat-embed-core-11.jar"));
        Report report = run(tomcat(peers));
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
                        "start-second",
                        "start-memory",
                        "suite-first",
                        "suite-second",
                        "suite-memory");
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

    private static Report run(Peer peer) throws IOException {
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        return new ScenarioRun(SCENARIO, TINY, List.of(peer), out, Recorder.NONE)
                .run(CELLS.subList(1, CELLS.size()), cpus);
    }

    private static Peer tomcat(Path jars) {
        Path noJar = Path.of("serval.jar");
        return new Peers(Role.SERVLET, noJar, jars, List.of(), null, List.of()).named("tomcat");
    }
}
