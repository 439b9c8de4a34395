package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.bench.load.AbsentClients;
import dev.serval.bench.load.Client;
import dev.serval.bench.load.Clients;
import dev.serval.bench.load.Script;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.Role;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.BurstResult;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Chart;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Published;
import dev.serval.bench.report.RampResult;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.SeriesResult;
import dev.serval.bench.report.TableResult;
import dev.serval.bench.report.Verdict;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.PipelinedCell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.SessionsCell;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.servlet.Request;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Runs the smallest cells of servers that are started for them. The tests check how figures are
/// made, not their values.
@Timeout(180)
final class ServerRunsTest {
    private static final Settings TINY = new Settings(1, 1, 0, 0.03, 1.0, 1.0, 1, 1.03);
    private static final List<Published> PAPER =
            List.of(new Published("Jigsaw", "requests per second", 19, "1/s", "4.a"));

    private static final Cell.Load LOAD =
            Cell.Load.plain("load", "load", "2k.bin", 2, Cell.ClientKind.OWN, Gate.NONE);

    private static final Cell.Ramp.Steps STEPS = new Cell.Ramp.Steps(20, 40, 20, 1, 10, 500);

    private static Scenario scenario(String subject, Cell cell) {
        return new Scenario(
                "tiny",
                "Tiny",
                "",
                true,
                Map.of("2k.bin", 2048, Scenario.FLOOR, 13),
                Map.of("hello", new Request("/hello", Request.Body.NONE, 0, Request.Answer.HELLO)),
                List.of(subject),
                subject,
                List.of(),
                "",
                cell.equals(LOAD) ? List.of(LOAD) : List.of(LOAD, cell));
    }

    private static CellResult run(Peer peer, Cell cell) throws IOException {
        return results(peer, cell, TINY).getFirst();
    }

    private static List<CellResult> results(Peer peer, Cell cell, Settings settings)
            throws IOException {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        PrintStream out =
                new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
        Cpus cpus = Cpus.unpinned(new Proc(Path.of("/proc")).allowedCpus());
        List<Peer> peers = List.of(peer);
        return new ScenarioRun(scenario(peer.name(), cell), settings, peers, out, Recorder.NONE)
                .run(List.of(cell), cpus)
                .cells();
    }

    /// Tomcat's classes are on the test's class path; the peer only looks for the file's name.
    private static Peer tomcat(Path peers) throws IOException {
        Path jars = Files.createDirectory(peers.resolve("tomcat"));
        Files.createFile(jars.resolve("tomcat-embed-core-11.jar"));
        return new Peers(Role.SERVLET, Path.of("no.jar"), peers, List.of(), null, List.of())
                .named("tomcat");
    }

    @Test
    void longLoadHasACourseForEachCollectorAndHeap(@TempDir Path peers) throws IOException {
        Cell cell =
                new Cell.Lasting(
                        "long",
                        "long",
                        List.of("tomcat"),
                        "load",
                        List.of(Cell.Collector.G1),
                        96,
                        List.of(1),
                        600,
                        0.01,
                        PAPER);
        SeriesResult result = (SeriesResult) run(tomcat(peers), cell);
        assertThat(result.published()).isEqualTo(PAPER);
        assertThat(result.courses()).hasSize(2);
        for (SeriesResult.Course course : result.courses()) {
            assertThat(course.failure()).isNull();
            assertThat(course.collector()).isEqualTo("g1");
            // No JVM starts with a heap of 1 MB, so the ample one is also the smallest.
            assertThat(course.heapMegabytes()).isEqualTo(96);
            assertThat(course.rate()).isPositive();
            assertThat(course.shortRate()).isPositive();
            assertThat(course.moments()).hasSize(2); // twice a round of 1 s
        }
        assertThat(result.courses().getFirst().ample()).isTrue();
        assertThat(result.courses().getLast().ample()).isFalse();
    }

    private static final List<Published> SYMPATHY =
            List.of(
                    new Published("Jetty 9", "CPU per request", 33.51, "µs", "table"),
                    new Published("Jetty 9", "unknown", 1, "µs", "table"));

    private static List<PeersResult> pipelined(Peer peer, String file, Settings settings)
            throws IOException {
        Cell cell = new PipelinedCell("pipe", "a title", List.of(), file, 20_000, 64, SYMPATHY);
        return results(peer, cell, settings).stream().map(PeersResult.class::cast).toList();
    }

    @Test
    void pipelinedRequestsShowTheWorkOfTheJvm(@TempDir Path peers) throws IOException {
        List<PeersResult> results = pipelined(tomcat(peers), "hello", TINY.withSeconds(2));
        assertThat(results)
                .extracting(PeersResult::cell)
                .containsExactly(
                        "pipe-elapsed",
                        "pipe-cpu",
                        "pipe-jit",
                        "pipe-collections",
                        "pipe-collecting",
                        "pipe-allocated",
                        "pipe-survived",
                        "pipe-old");
        assertThat(results)
                .allSatisfy(result -> {
                    assertThat(result.peers())
                            .singleElement()
                            .matches(one -> one.failure() == null);
                    assertThat(result.peers().getFirst().values())
                            .hasSize(1)
                            .allMatch(value -> value >= 0);
                });
        for (String figure : List.of("pipe-elapsed", "pipe-cpu", "pipe-jit", "pipe-allocated")) {
            assertThat(results)
                    .filteredOn(result -> result.cell().equals(figure))
                    .allMatch(result -> result.peers().getFirst().values().getFirst() > 0);
        }
        assertThat(results.get(1).published()).containsExactly(SYMPATHY.getFirst());
        assertThat(results.getFirst().published()).isEmpty();
        assertThat(results.getFirst().notes())
                .contains(
                        "a title; 20,000 requests in a run; JVMs with the parallel collector and a heap of 64 MB")
                .anyMatch(note -> note.matches("tomcat: the client used \\d+ % of a CPU.*"));
    }

    @Test
    void figuresOfThePaperHaveTheNamesOfTheMeasures() throws IOException {
        List<String> titles =
                Stream.of(PipelinedRun.Measure.values())
                        .map(measure -> measure.title + ", " + measure.unit)
                        .toList();
        for (Cell cell : Scenario.named("sympathy").cells()) {
            assertThat(((PipelinedCell) cell).published())
                    .extracting(figure -> figure.measure() + ", " + figure.unit())
                    .isSubsetOf(titles);
        }
    }

    @Test
    void serverWithoutAJvmOfItsOwnHasTimesOnly() throws IOException {
        List<PeersResult> results = pipelined(new JdkPeer("one", false), "2k.bin", TINY);
        assertThat(results)
                .as("a tenth of the requests")
                .extracting(PeersResult::cell)
                .containsExactly("pipe-elapsed", "pipe-cpu", "pipe-allocated");
        assertThat(results).filteredOn(result -> !result.peers().isEmpty()).hasSize(2);
        assertThat(results.getFirst().peers().getFirst().values().getFirst()).isPositive();
    }

    @Test
    void serverThatFailsInAPipelineIsNamedOnce() throws IOException {
        List<PeersResult> results = pipelined(new JdkPeer("one", true), "2k.bin", TINY);
        assertThat(results).flatExtracting(PeersResult::gaps).hasSize(1);
        assertThat(results.getFirst().verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void smallestHeapIsFound() {
        List<Integer> heaps = List.of(4, 8, 16, 32, 64);
        for (int works : List.of(4, 8, 16, 32, 64, 128)) {
            List<Integer> tried = new ArrayList<>();
            int found =
                    LastingRun.smallest(
                            heaps,
                            128,
                            heap -> {
                                tried.add(heap);
                                return heap >= works;
                            });
            assertThat(found).isEqualTo(works);
            assertThat(tried).hasSizeLessThanOrEqualTo(3).doesNotContain(128);
        }
    }

    @Test
    void onlyAQuickRunHasOneCollector() throws IOException {
        Cell.Lasting cell =
                Scenario.named("jigsaw").cells().stream()
                        .filter(Cell.Lasting.class::isInstance)
                        .map(Cell.Lasting.class::cast)
                        .findFirst()
                        .orElseThrow();
        assertThat(LastingRun.collectors(cell, Settings.QUICK)).hasSize(1);
        assertThat(LastingRun.collectors(cell, Settings.SHORT)).hasSize(4);
        assertThat(LastingRun.collectors(cell, Settings.FULL)).hasSize(4);
    }

    @Test
    void longCoursesHaveFewMoments() {
        GcLog log = new GcLog(List.of(), List.of(new GcLog.Heap(3500, 7)), List.of());
        List<SeriesResult.Moment> brief = LastingRun.moments(List.of(10L, 20L, 30L), log, 1000);
        assertThat(brief.get(1)).isEqualTo(new SeriesResult.Moment(2, 20, Double.NaN));
        assertThat(brief.get(2)).isEqualTo(new SeriesResult.Moment(3, 30, 7));
        List<Long> long600 = LongStream.rangeClosed(1, 600).boxed().toList();
        List<SeriesResult.Moment> moments = LastingRun.moments(long600, log, 1000);
        assertThat(moments).hasSize(120);
        assertThat(moments.getFirst().second()).isEqualTo(5);
        assertThat(moments.getFirst().rate()).isEqualTo(3);
        assertThat(moments.getLast()).isEqualTo(new SeriesResult.Moment(600, 598, 7));
        assertThat(LastingRun.moments(List.of(), log, 0)).isEmpty();
    }

    @Test
    void burstHasTheFiguresOfEachRun() throws IOException {
        assumeThat(Programs.find("ab")).as("needs ab (Debian package apache2-utils)").isPresent();
        Cell cell = new Cell.Burst("burst", "burst", List.of(), "2k.bin", 40, 4, 3, PAPER);
        BurstResult result = (BurstResult) run(new JdkPeer("one", false), cell);
        assertThat(result.published()).isEqualTo(PAPER);
        BurstResult.Server server = result.servers().getFirst();
        assertThat(server.failure()).isNull();
        assertThat(server.runs())
                .hasSize(3)
                .allSatisfy(run -> {
                    assertThat(run.rate()).isPositive();
                    assertThat(run.millis()).isPositive();
                    assertThat(run.failed()).isZero();
                    assertThat(run.unkept()).isBetween(0L, 40L);
                });
    }

    /// Otherwise Serval would have failed in a comparison that nobody made.
    @Test
    void burstsAreNotMeasuredWithoutAb() throws IOException {
        Cell.Burst cell = new Cell.Burst("burst", "burst", List.of(), "2k.bin", 40, 4, 3, PAPER);
        Cpus cpus = Cpus.unpinned(Set.of(0));
        PrintStream out = new PrintStream(new ByteArrayOutputStream());
        Clients clients = AbsentClients.all();
        try (Stage stage = Stage.create(Map.of("2k.bin", 2048), cpus)) {
            Bench bench = new Bench(stage, new Proc(Path.of("/proc")), TINY, out);
            LoadRun loads = new LoadRun(bench, clients);
            Contest contest = new Contest(scenario("one", cell), List.of(), bench, loads);
            assertThatThrownBy(() -> new BurstRun(contest).run(cell))
                    .isInstanceOfSatisfying(
                            BenchFailure.class, failure -> assertThat(failure.isLack()).isTrue())
                    .hasMessage("its client is missing: apt-get install apache2-utils");
        }
    }

    @Test
    void fewerRoundsMakeFewerRuns() {
        Cell.Burst cell = new Cell.Burst("a", "a", List.of(), "a", 40, 4, 13, List.of());
        assertThat(BurstRun.runs(cell, 1)).isEqualTo(10);
        assertThat(BurstRun.runs(cell, 2)).isEqualTo(13);
    }

    @Test
    void serverWithoutALogIsComparedInTheSameLoad() throws IOException {
        Cell cell = new Cell.Quiet("quiet", "quiet", List.of("one"), "load", Gate.NONE);
        LoadResult result = (LoadResult) run(new JdkPeer("one", false), cell);
        assertThat(result.cell()).isEqualTo("quiet");
        assertThat(result.figures().getFirst().failure()).isNull();
    }

    /// Notes whether it was started with an access log.
    private record Noting(JdkPeer server, List<Boolean> logs) implements Peer {
        @Override
        public String name() {
            return server.name();
        }

        @Override
        public Optional<String> missing() {
            return server.missing();
        }

        @Override
        public String version() {
            return server.version();
        }

        @Override
        public boolean java() {
            return server.java();
        }

        @Override
        public String configuration() {
            return server.configuration();
        }

        @Override
        public RunningPeer start(Stage stage) throws IOException {
            logs.add(stage.log());
            return server.start(stage);
        }
    }

    @Test
    void serversOfTheScenarioWriteALogExceptInAQuietCell() throws IOException {
        List<Boolean> logs = new ArrayList<>();
        Peer peer = new Noting(new JdkPeer("one", false), logs);
        run(peer, LOAD);
        run(peer, new Cell.Quiet("quiet", "quiet", List.of(), "load", Gate.NONE));
        assertThat(logs).containsExactly(true, false);
    }

    @Test
    void rampHasAStepForEachRate() throws IOException {
        Cell cell =
                new Cell.Ramp(
                        "ramp", "ramp", List.of(), "2k.bin", STEPS, STEPS, 50, 5000, 4, 0, PAPER);
        RampResult result = (RampResult) run(new JdkPeer("one", false), cell);
        assertThat(result.published()).isEqualTo(PAPER);
        assertThat(result.ceiling()).isPositive();
        RampResult.Server server = result.servers().getFirst();
        assertThat(server.failure()).isNull();
        assertThat(server.descriptorsMax()).isPositive();
        assertThat(server.steps()).extracting(RampResult.Step::planned).startsWith(20.0);
        RampResult.Step first = server.steps().getFirst();
        assertThat(first.replies().mean()).isPositive();
        assertThat(first.p99Millis()).isPositive();
        assertThat(first.descriptors()).isPositive();
        assertThat(first.ends()).containsKeys("503", "reset", "timeout");
    }

    @Test
    void serverThatLiesFailsOnlyItself() throws IOException {
        Cell cell =
                new Cell.Ramp(
                        "ramp", "ramp", List.of(), "2k.bin", STEPS, STEPS, 50, 5000, 4, 0, PAPER);
        RampResult result = (RampResult) run(new JdkPeer("one", true), cell);
        assertThat(result.servers().getFirst().failure()).contains("other content");
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void sessionsWarmAServerUpUntilTheirCostIsSteady() throws IOException {
        assertThat(warmUps(new Settings(4, 1, 3, 100, 1, 1, 1, 1.03))).isEqualTo(2);
        assertThat(warmUps(new Settings(4, 1, 3, 0, 1, 1, 1, 1.03))).isEqualTo(3);
        assertThat(warmUps(TINY)).isZero();
    }

    /// Returns how often a ramp of sessions offers its highest planned rate before it begins.
    private static long warmUps(Settings settings) throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Proc proc = new Proc(Path.of("/proc"));
        Peer peer = new JdkPeer("one", false);
        Cell.Ramp cell =
                new Cell.Ramp(
                        "ramp", "ramp", List.of(), "2k.bin", STEPS, STEPS, 50, 5000, 4, 0, PAPER);
        try (Stage stage =
                        Stage.create(
                                Map.of("2k.bin", 2048, Scenario.FLOOR, 13),
                                Cpus.unpinned(proc.allowedCpus()));
                PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            byte[] page = Files.readAllBytes(stage.site().root().resolve("2k.bin"));
            Script script = new Script(List.of(Script.Burst.of(new Script.Ask("/2k.bin", page))));
            new RampRun(new Bench(stage, proc, settings, out), cell, script)
                    .run(
                            "one",
                            List.of(new RampRun.Entry("one", () -> peer.start(stage))),
                            port -> new Client.Target(port, stage.site().page("2k.bin")));
        }
        return said.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains("warm-up at 40/s"))
                .count();
    }

    @Test
    void sessionsAreOfferedAndGrowAndExpireAndMeetARestart(@TempDir Path peers) throws IOException {
        Path jars = Files.createDirectory(peers.resolve("tomcat"));
        Files.createFile(jars.resolve("tomcat-embed-core-11.jar"));
        Path noJar = Path.of("serval.jar");
        Peer tomcat =
                new Peers(Role.SERVLET, noJar, peers, List.of(), null, List.of()).named("tomcat");
        SessionsCell cell = sessions(SessionsCell.Store.FILES);
        List<CellResult> results = results(tomcat, cell, TINY);
        assertThat(results)
                .extracting(CellResult::cell)
                .containsExactly("sessions-logout", "sessions-stay", "sessions");
        for (CellResult ramp : results.subList(0, 2)) {
            RampResult.Server server = ((RampResult) ramp).servers().getFirst();
            assertThat(server.failure()).isNull();
            assertThat(server.steps().getFirst().failed()).isZero();
            assertThat(server.steps().getFirst().p99Millis()).isPositive();
        }
        TableResult result = (TableResult) results.getLast();
        assertThat(result.gaps()).isEmpty();
        assertThat(result.verdict()).isEqualTo(Verdict.NONE);
        assertThat(result.rows())
                .extracting(Row::measure)
                .containsExactly(
                        "heap of a session",
                        "live heap after they have expired",
                        "answer after a restart");
        assertThat(result.rows())
                .allSatisfy(row -> {
                    assertThat(row.cell()).isEqualTo("sessions, timeout 1 s");
                    assertThat(row.values()).containsOnlyKeys("tomcat");
                });
        List<Chart.Point> heap = result.charts().getFirst().lines().getFirst().points();
        assertThat(heap).hasSizeGreaterThan(1).allSatisfy(p -> assertThat(p.y()).isPositive());
        assertThat(heap.getFirst().x()).isZero();
        assertThat(heap.getLast().x()).isGreaterThanOrEqualTo(40);
        List<String> line = result.tables().values().iterator().next().rows().getFirst();
        assertThat(line).startsWith("sessions, tomcat, 1 s").endsWith("100");
        assertThat(result.remarks()).anyMatch(note -> note.contains("the paper's: [100, 10]"));
    }

    @Test
    void serverThatFailsIsAGap(@TempDir Path peers) throws IOException {
        Peer broken =
                new Peers(
                                Role.SERVLET,
                                Path.of("serval.jar"),
                                peers,
                                List.of("-XX:NoSuchOption"),
                                null,
                                List.of())
                        .named("undertow");
        Path jars = Files.createDirectory(peers.resolve("undertow"));
        Files.createFile(jars.resolve("undertow-servlet-2.jar"));
        SessionsCell cell = sessions(SessionsCell.Store.MEMORY);
        CellResult result = results(broken, cell, TINY).getLast();
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.gaps().getFirst().text()).startsWith("failed: undertow did not start");
    }

    private static SessionsCell sessions(SessionsCell.Store store) {
        return new SessionsCell(
                "sessions",
                "sessions",
                List.of(),
                store,
                "2k.bin",
                2,
                0.01,
                List.of(30, 1),
                List.of(100, 10),
                800,
                STEPS,
                STEPS,
                50,
                5000,
                4);
    }

    @Test
    void peerWithoutTheStoreIsNotMeasured() throws IOException {
        SessionsCell cell = sessions(SessionsCell.Store.MEMORY);
        CellResult result = results(new JdkPeer("one", false), cell, TINY).getLast();
        assertThat(result.verdict()).isEqualTo(Verdict.NONE);
        assertThat(result.gaps())
                .extracting(gap -> gap.peer() + " " + gap.text())
                .containsExactly("one not measured: it has no store of sessions of this kind");
    }

    @Test
    void quickRunHasTheLastTimeoutAndFewerSessions() {
        SessionsCell cell = sessions(SessionsCell.Store.MEMORY);
        assertThat(SessionsRun.timeouts(cell, Settings.QUICK)).containsExactly(1);
        assertThat(SessionsRun.count(cell, Settings.QUICK, 1)).isEqualTo(40);
        assertThat(SessionsRun.timeouts(cell, Settings.FULL)).containsExactly(30, 1);
        assertThat(SessionsRun.timeouts(cell, Settings.SHORT)).containsExactly(30, 1);
        assertThat(SessionsRun.count(cell, Settings.SHORT, 30)).isEqualTo(800);
        assertThat(SessionsRun.count(cell, Settings.FULL, 30)).isEqualTo(800);
        assertThat(SessionsRun.count(cell, Settings.FULL, 1)).isEqualTo(200);
        assertThat(SessionsRun.timeouts(cell, Settings.PAPER)).containsExactly(100, 10);
        assertThat(SessionsRun.count(cell, Settings.PAPER, 100)).isEqualTo(800);
    }

    private static RampResult.Step step(double planned, long failed, boolean ofTheGenerator) {
        return new RampResult.Step(
                planned,
                planned,
                new RampResult.Replies(planned, planned, planned, 0),
                1,
                1,
                1,
                Map.of(),
                failed,
                0,
                0,
                ofTheGenerator,
                1,
                1,
                false);
    }

    @Test
    void ratesRiseToTwiceTheHighestWithoutAnError() {
        RampRun.Rates rates = new RampRun.Rates(STEPS, 1.5, 1000);
        assertThat(rates.first()).isEqualTo(20);
        List<RampResult.Step> made = new ArrayList<>(List.of(step(20, 0, false)));
        assertThat(rates.after(made)).isEqualTo(40);
        made.add(step(40, 0, false));
        assertThat(rates.after(made)).isEqualTo(60);
        made.add(step(60, 1, false));
        assertThat(rates.after(made)).isEqualTo(90);
        made.add(step(90, 1, false));
        assertThat(rates.after(made)).isZero();
    }

    @Test
    void plannedRatesAreOfferedEvenToAServerThatFails() {
        RampRun.Rates rates =
                new RampRun.Rates(new Cell.Ramp.Steps(20, 100, 20, 1, 10, 500), 1.5, 1000);
        List<RampResult.Step> made =
                List.of(step(20, 9, false), step(40, 9, false), step(60, 9, false));
        assertThat(rates.after(made)).isEqualTo(80);
    }

    @Test
    void rampEndsWithTheGenerator() {
        RampRun.Rates rates = new RampRun.Rates(STEPS, 1.5, 40);
        assertThat(rates.after(List.of(step(20, 0, true)))).isZero();
        assertThat(rates.after(List.of(step(20, 0, false)))).isEqualTo(40);
        assertThat(rates.after(List.of(step(20, 0, false), step(40, 0, false)))).isZero();
    }

    @Test
    void rateAboveTheCeilingIsNotOffered() {
        RampRun.Rates rates = new RampRun.Rates(STEPS, 1.5, 50);
        assertThat(rates.after(List.of(step(20, 0, false), step(40, 0, false)))).isEqualTo(50);
    }

    @Test
    void lateStepFarBelowTheCeilingDoesNotEndTheRamp() {
        RampRun.Rates rates = new RampRun.Rates(STEPS, 1.5, 1000);
        List<RampResult.Step> made = new ArrayList<>(List.of(step(20, 0, true)));
        assertThat(rates.after(made)).isEqualTo(40);
        made.add(step(40, 0, true));
        assertThat(rates.after(made)).isEqualTo(60);
        made.add(step(60, 0, true));
        assertThat(rates.after(made)).isZero();
        made.add(step(90, 0, false));
        assertThat(rates.after(made)).isEqualTo(135);
    }
}
