package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Role;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.TailResult;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.scenario.TodayCell;
import dev.serval.bench.servlet.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Runs the smallest cells of scenario `today`. The tests check how figures are made, not their
/// values.
@Timeout(180)
final class TodayRunsTest {
    private static final Settings TINY = new Settings(2, 1, 0, 0.03, 1.0, 1.0, 1, 1.03);

    private static List<CellResult> run(Peer peer, TodayCell cell) throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        Scenario scenario =
                new Scenario(
                        "tiny",
                        "Tiny",
                        "",
                        false,
                        Map.of("2k.bin", 2048, Scenario.FLOOR, 13),
                        Map.of("item", get("/item", Request.Answer.ITEM)),
                        List.of(peer.name()),
                        peer.name(),
                        List.of(),
                        "",
                        List.of(cell));
        return new ScenarioRun(scenario, TINY, List.of(peer), out, Recorder.NONE)
                .run(List.of(cell), cpus)
                .cells();
    }

    private static Request get(String path, Request.Answer answer) {
        return new Request(path, Request.Body.NONE, 0, answer);
    }

    private static Peer tomcat(Path peers) throws IOException {
        // Tomcat's classes are on the test's class path; the peer only looks for the file's name.
        Path jars = Files.createDirectory(peers.resolve("tomcat"));
        Files.createFile(jars.resolve("tomcat-embed-core-11.jar"));
        Path noJar = Path.of("serval.jar");
        return new Peers(Role.SERVLET, noJar, peers, List.of(), null, List.of()).named("tomcat");
    }

    @Test
    void servletsAreCompared(@TempDir Path peers) throws IOException {
        TodayCell cell =
                new TodayCell.Servlet("json", "json", List.of(), "item", false, 2, Gate.NONE);
        LoadResult result = (LoadResult) run(tomcat(peers), cell).getFirst();
        assertThat(result.rounds())
                .allSatisfy(round -> assertThat(round.clientCpuNanos()).isPositive());
        assertThat(result.figures().getFirst().failure()).isNull();
        assertThat(result.figures().getFirst().cpuMicros().median()).isPositive();
    }

    @Test
    void idleConnectionsAreComparedAndHaveMemory(@TempDir Path peers) throws IOException {
        TodayCell cell =
                new TodayCell.Crowd("idle", "idle", List.of(), "2k.bin", 2, 300, 1e9, 1e-9);
        List<CellResult> results = run(tomcat(peers), cell);
        assertThat(results)
                .extracting(CellResult::cell)
                .containsExactly("idle", "idle-cpu", "idle-memory");
        LoadResult with = (LoadResult) results.getFirst();
        assertThat(with.figures().getFirst().failure()).isNull();
        assertThat(with.rounds()).hasSizeGreaterThanOrEqualTo(TINY.rounds());
        PeersResult ratio = (PeersResult) results.get(1);
        assertThat(ratio.figure()).isPositive();
        assertThat(ratio.verdict()).isEqualTo(Verdict.FAIL);
        PeersResult memory = (PeersResult) results.getLast();
        assertThat(memory.peers().getFirst().values()).hasSize(1);
        assertThat(memory.verdict()).isEqualTo(Verdict.PASS);
        assertThat(memory.notes()).containsExactly("300 idle connections");
    }

    /// A wrong answer fails the rounds. The memory does not depend on what the answers say.
    @Test
    void serverThatLiesFailsBesideIdleConnections() throws IOException {
        TodayCell cell = new TodayCell.Crowd("idle", "idle", List.of(), "2k.bin", 2, 3, 0, 0);
        List<CellResult> results = run(new JdkPeer("one", true), cell);
        for (CellResult result : results.subList(0, 2)) {
            assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
            assertThat(result.gaps().getFirst().why()).contains("other content");
        }
        assertThat(results.getLast().gaps()).isEmpty();
        assertThat(results.getLast().verdict()).isEqualTo(Verdict.NONE);
    }

    @Test
    void roundsWithErrorsHaveNoRatio() {
        assertThatThrownBy(() -> TodayRuns.requireSound(Figures.failed("httpd", "89 errors")))
                .isInstanceOf(BenchFailure.class)
                .hasMessage("89 errors");
    }

    @Test
    void serverThatWasBusyWithoutIdleConnectionsHasNoRatio() {
        TodayRuns.requireIdle(100, 10);
        assertThatThrownBy(() -> TodayRuns.requireIdle(31_000, 21))
                .isInstanceOf(BenchFailure.class)
                .hasMessage(
                        "31000.0 µs of CPU per request without idle connections, but 21.0 µs with"
                                + " them");
    }

    @Test
    void fewerDescriptorsMakeFewerIdleConnections() {
        assertThat(TodayRuns.note(10_000, 11_000)).isEqualTo("10000 idle connections");
        assertThat(TodayRuns.note(10_000, 4096))
                .isEqualTo(
                        "3096 idle connections, because a process may open only 4096 descriptors:"
                                + " ulimit -n 11000");
    }

    @Test
    void tailIsOfferedAPartOfTheCapacity() throws IOException {
        TodayCell cell = new TodayCell.Tail("half", "half", List.of(), "2k.bin", 2, 0.1);
        TailResult result = (TailResult) run(new JdkPeer("one", false), cell).getFirst();
        TailResult.Server server = result.servers().getFirst();
        assertThat(server.failure()).isNull();
        assertThat(server.capacity()).isPositive();
        assertThat(server.offered()).isEqualTo(0.1 * server.capacity());
        assertThat(server.at(50).median()).isPositive();
        assertThat(server.cpuMicros()).isPositive();
        assertThat(server.busy()).isPositive();
        assertThat(result.notes().get(1)).startsWith("2 s in 2 rounds");
    }

    @Test
    void fastServerIsOfferedAQuarterOfTheCeilingOfTheGenerator() {
        assertThat(TodayRuns.offered(0.5, 100_000, 250_000)).isEqualTo(50_000);
        assertThat(TodayRuns.offered(0.5, 240_000, 250_000)).isEqualTo(62_500);
    }

    @Test
    void serverThatLiesHasNoTail() throws IOException {
        TodayCell cell = new TodayCell.Tail("half", "half", List.of(), "2k.bin", 2, 0.5);
        TailResult result = (TailResult) run(new JdkPeer("one", true), cell).getFirst();
        assertThat(result.servers().getFirst().failure()).contains("other content");
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void longestLoadHasALimit() {
        assertThat(TodayRuns.seconds(Settings.QUICK)).isEqualTo(3);
        assertThat(TodayRuns.seconds(Settings.FULL)).isEqualTo(15);
        assertThat(TodayRuns.seconds(Settings.PAPER)).isEqualTo(60);
    }

    /// Of a thousand latencies, one is beyond the percentile 99.9.
    @Test
    void latenciesAreOfAllRoundsWithTheExtremesOfEach() {
        Histogram fast = new Histogram(1_000_000, 3);
        Histogram slow = new Histogram(1_000_000, 3);
        for (int i = 1; i <= 500; i++) {
            fast.recordValue(i);
            slow.recordValue(500 + i);
        }
        List<TailResult.Latency> latencies = TodayRuns.latencies(List.of(fast, slow));
        assertThat(latencies.getLast().percentile()).isEqualTo(99.9);
        assertThat(latencies.getLast().millis()).isEqualTo(new Statistics(0.999, 0.5, 1));
        assertThat(latencies.getFirst().millis()).isEqualTo(new Statistics(0.001, 0.001, 0.501));
        Histogram none = new Histogram(10, 3);
        assertThat(TodayRuns.latencies(List.of(none))).isEmpty();
        // A round without a right answer has no latency, and not one of 0.
        assertThat(TodayRuns.latencies(List.of(fast, slow, none))).isEqualTo(latencies);
    }
}
