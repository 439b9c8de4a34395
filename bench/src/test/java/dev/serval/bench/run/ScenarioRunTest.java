package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.BeforeResult;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.PeerFacts;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScenarioRunTest {
    /// One round of a second. The tests check how figures are made, not their values.
    private static final Settings TINY = new Settings(1, 1, 1, 0.03, 1.0, 1.0, 1, 1.03);

    private static final Cell.Load CELL =
            Cell.Load.plain(
                    "tiny", "tiny", "2k.bin", 2, Cell.ClientKind.OWN, new Gate(1000, 0.0001, 0));

    private static final Scenario SCENARIO =
            new Scenario(
                    "tiny",
                    "Tiny",
                    "",
                    false,
                    Map.of("2k.bin", 2048),
                    Map.of(),
                    List.of("one", "two"),
                    "one",
                    List.of("two"),
                    "",
                    List.of(CELL));

    private final ByteArrayOutputStream progress = new ByteArrayOutputStream();

    @Test
    void measuresTwoPeersAndComparesThem() throws IOException {
        Report report = run(TINY, new JdkPeer("one", false), new JdkPeer("two", false));
        LoadResult result = (LoadResult) report.cells().getFirst();
        assertThat(result.reference()).isEqualTo("two");
        assertThat(result.ratio()).isPositive();
        assertThat(result.verdict()).isEqualTo(Verdict.PASS);
        assertThat(result.aimVerdict()).isEqualTo(Verdict.MISS);
        assertThat(result.rounds()).hasSize(4);
        for (Round round : result.rounds()) {
            assertThat(round.requests()).isPositive();
            assertThat(round.contentBytes()).isEqualTo(round.requests() * 2048);
            assertThat(round.errors()).isZero();
            assertThat(round.cpuNanos()).isPositive();
        }
        assertThat(progress.toString(StandardCharsets.UTF_8)).contains("tiny  one").contains("two");
        Map<String, String> versions = report.environment().versions();
        assertThat(versions.getOrDefault("wrk", "missing 1.0")).containsPattern("[0-9][.][0-9]");
        assertThat(versions.getOrDefault("ab", "missing 1.0")).containsPattern("[0-9][.][0-9]$");
    }

    @Test
    void comparesRoundsOfTheSameNumberWithAnEarlierBuild() throws IOException {
        // Every round is disturbed. The first is repeated twice, and the last repetition counts.
        Settings nervous = new Settings(2, 1, 0, 0.03, -1, 1.0, 2, 1.07);
        Report report = run(nervous, new JdkPeer("one", false), new JdkPeer("before", false));
        LoadResult result = (LoadResult) report.cells().getFirst();
        BeforeResult before = Objects.requireNonNull(result.before());
        List<Double> one = micros(result, "one");
        List<Double> other = micros(result, "before");
        assertThat(one).hasSize(4);
        assertThat(before.subject()).isEqualTo("one");
        assertThat(before.gate()).isEqualTo(1.07);
        assertThat(before.ratios())
                .containsExactly(one.get(2) / other.get(2), one.get(3) / other.get(3));
    }

    private static List<Double> micros(LoadResult result, String peer) {
        return result.rounds().stream()
                .filter(round -> round.peer().equals(peer))
                .map(Round::cpuMicrosPerRequest)
                .toList();
    }

    @Test
    void peerWithOtherContentFails() throws IOException {
        Report report = run(TINY, new JdkPeer("one", true));
        LoadResult result = (LoadResult) report.cells().getFirst();
        Figures figures = result.figures().getFirst();
        assertThat(figures.failure()).contains("other content");
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.rounds()).isEmpty();
        assertThat(report.passed()).isFalse();
    }

    @Test
    void repeatsDisturbedRoundsUpToTheLimit() throws IOException {
        // With a negative limit every round is disturbed.
        Settings nervous = new Settings(1, 1, 0, 0.03, -1, 1.0, 1, 1.03);
        Report report = run(nervous, new JdkPeer("one", false));
        LoadResult result = (LoadResult) report.cells().getFirst();
        assertThat(result.rounds())
                .filteredOn(r -> r.phase() == Round.Phase.MEASURED)
                .hasSize(2)
                .allMatch(Round::disturbed);
        assertThat(result.figures().getFirst().disturbed()).isTrue();
    }

    @Test
    void missingPeerIsLeftOutWithANote() throws IOException {
        Peer missing = new ServalPeer(Path.of("no", "such.jar"), List.of());
        Report report =
                run(
                        new Settings(1, 1, 0, 0.03, 1.0, 1.0, 1, 1.03),
                        missing,
                        new JdkPeer("two", false));
        LoadResult result = (LoadResult) report.cells().getFirst();
        assertThat(result.figures()).extracting(Figures::peer).containsExactly("two");
        assertThat(result.verdict()).isEqualTo(Verdict.NONE);
        assertThat(report.gaps())
                .singleElement()
                .satisfies(gap -> {
                    assertThat(gap.peer()).isEqualTo("serval");
                    assertThat(gap.text()).startsWith("not measured: no/such.jar is missing");
                });
    }

    /// A peer that is there and does not start.
    private record BrokenPeer(String name) implements Peer {
        @Override
        public Optional<String> missing() {
            return Optional.empty();
        }

        @Override
        public String version() {
            return "1";
        }

        @Override
        public boolean java() {
            return false;
        }

        @Override
        public String configuration() {
            return "none";
        }

        @Override
        public RunningPeer start(Stage stage) {
            throw new BenchFailure("did not start");
        }
    }

    @Test
    void peerThatDoesNotStartFailsInEveryLoadAndNothingElse() throws IOException {
        Report report = run(TINY, new BrokenPeer("one"), new JdkPeer("two", false));
        assertThat(report.gaps()).containsExactly(Gap.failed("tiny", "one", "did not start"));
        LoadResult result = (LoadResult) report.cells().getFirst();
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.figures())
                .filteredOn(f -> f.failure() == null)
                .extracting(Figures::peer)
                .containsExactly("two");
        assertThat(report.peers()).extracting(PeerFacts::name).containsExactly("one", "two");
    }

    @Test
    void cellThatFailsDoesNotEndTheRun() throws IOException {
        List<String> calls = new ArrayList<>();
        Recorder recorder =
                new Recorder() {
                    @Override
                    public void begins(Report head) {
                        calls.add("begins with " + head.cells().size());
                    }

                    @Override
                    public void cellBegins(String cell) {
                        calls.add(cell + " begins");
                    }

                    @Override
                    public void cellEnded(String cell, List<CellResult> results) {
                        calls.add(cell + " ended with " + results.size());
                    }
                };
        // The WAR is not below this module's folder.
        Cell.Start broken = new Cell.Start("start", "Start", Cell.WarKind.SPRING, 1, 0, 0, 0);
        PrintStream out = new PrintStream(progress, true, StandardCharsets.UTF_8);
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        Report report =
                new ScenarioRun(SCENARIO, TINY, List.of(new JdkPeer("two", false)), out, recorder)
                        .run(List.of(broken, CELL), cpus);
        assertThat(calls)
                .containsExactly(
                        "begins with 0",
                        "tiny begins",
                        "tiny ended with 1",
                        "start begins",
                        "start ended with 1");
        assertThat(report.gaps())
                .extracting(gap -> gap.cell() + " " + gap.kind())
                .containsExactly("start FAILED");
    }

    @Test
    void suiteHasAllItsCpusAgainAfterARun() throws IOException {
        Proc proc = new Proc(Path.of("/proc"));
        Set<Integer> before = proc.allowedCpus();
        PrintStream out = new PrintStream(progress, true, StandardCharsets.UTF_8);
        ScenarioRun nobody = new ScenarioRun(SCENARIO, TINY, List.of(), out, Recorder.NONE);
        assertThatThrownBy(() -> nobody.run(List.of(CELL))).isInstanceOf(BenchFailure.class);
        assertThat(proc.allowedCpus()).isEqualTo(before);
    }

    private Report run(Settings settings, Peer... peers) throws IOException {
        PrintStream out = new PrintStream(progress, true, StandardCharsets.UTF_8);
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        return new ScenarioRun(SCENARIO, settings, List.of(peers), out, Recorder.NONE)
                .run(List.of(CELL), cpus);
    }
}
