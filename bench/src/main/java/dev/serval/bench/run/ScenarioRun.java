package dev.serval.bench.run;

import dev.serval.bench.load.Clients;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.HelloPeer;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Environment;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import dev.serval.bench.servlet.WarFolder;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Runs a scenario, from the start of its peers to the report. Used once, by one thread.
public final class ScenarioRun {
    private static final Path PAGE_LIBRARIES = Path.of("bench", "target", "peers", "jstl");

    private final Scenario scenario;
    private final Settings settings;
    private final List<Peer> peers;
    private final PrintStream progress;
    private final Proc proc = new Proc(Path.of("/proc"));
    private final Map<String, String> versions = new TreeMap<>();
    private final List<String> notes = new ArrayList<>();

    /// Makes a run with these peers.
    ///
    /// @param peers of the scenario, including those missing on this machine
    public ScenarioRun(
            Scenario scenario, Settings settings, List<Peer> peers, PrintStream progress) {
        this.scenario = scenario;
        this.settings = settings;
        this.peers = List.copyOf(peers);
        this.progress = progress;
    }

    /// Runs these cells, and chooses the CPUs.
    public Report run(List<Cell> cells) throws IOException {
        Cpus cpus = Cpus.choose(proc);
        cpus.moveSelf();
        return run(cells, cpus);
    }

    /// Runs these cells on these CPUs.
    Report run(List<Cell> cells, Cpus cpus) throws IOException {
        List<Peer> present = present();
        if (present.isEmpty()) {
            throw new BenchFailure("no peer can be started:\n" + String.join("\n", notes));
        }
        List<CellResult> results = new ArrayList<>();
        try (Stage stage = Stage.create(scenario.files(), cpus)) {
            if (!scenario.requests().isEmpty()) {
                WarFolder.explode(stage.site().root(), PAGE_LIBRARIES);
            }
            Clients clients = Clients.find(stage);
            noteClient("wrk", "wrk", clients.wrk().isPresent());
            noteClient("ab", "apache2-utils", clients.ab().isPresent());
            Bench bench = new Bench(stage, proc, settings, progress);
            Contest contest = new Contest(scenario, present, bench, new LoadRun(bench, clients));
            results.addAll(loadCells(cells, contest));
            for (Cell cell : cells) {
                results.addAll(other(cell, contest));
                requireNotEnded(stage);
            }
            requireNotEnded(stage);
        }
        return new Report(
                scenario.name(),
                scenario.title(),
                environment(proc, cpus, versions, settings),
                results,
                List.copyOf(notes));
    }

    private List<Peer> present() {
        List<Peer> present = new ArrayList<>();
        for (Peer peer : peers) {
            Optional<String> missing = peer.missing();
            if (missing.isPresent()) {
                note(peer.name() + " left out: " + missing.get());
            } else {
                versions.put(peer.name(), peer.version());
                present.add(peer);
            }
        }
        return present;
    }

    private void noteClient(String client, String debianPackage, boolean present) {
        if (present) {
            versions.put(client, "present");
        } else {
            note(
                    client
                            + " is missing, so the own client replaces it: apt-get install "
                            + debianPackage);
        }
    }

    /// Measures the load cells. All peers run at the same time, so that their rounds can be
    /// interleaved. Only one has load at a time, and CPU time of the others counts as a
    /// disturbance.
    private List<CellResult> loadCells(List<Cell> cells, Contest contest) throws IOException {
        Stage stage = contest.bench().stage();
        List<Cell.Load> wanted =
                cells.stream()
                        .filter(Cell.Load.class::isInstance)
                        .map(Cell.Load.class::cast)
                        .toList();
        if (wanted.isEmpty()) {
            return List.of();
        }
        List<CellResult> results = new ArrayList<>();
        List<RunningPeer> running = new ArrayList<>();
        try {
            for (Peer peer : contest.peers()) {
                progress.printf("starting %s%n", peer.name());
                running.add(peer.start(stage));
            }
            for (Cell.Load load : wanted) {
                results.add(contest.loads().run(contest.work(load), running, comparison(load)));
                requireNotEnded(stage);
            }
        } finally {
            running.forEach(RunningPeer::close);
        }
        return results;
    }

    private LoadResult.Comparison comparison(Cell.Load load) {
        List<String> references =
                load.references().isEmpty() ? scenario.references() : load.references();
        return new LoadResult.Comparison(scenario.subject(), references, scenario.floor());
    }

    /// Measures a cell that is no load, if its subject takes part.
    private static List<CellResult> other(Cell cell, Contest contest) throws IOException {
        return switch (cell) {
            case Cell.Load _ -> List.of();
            case Cell.OfServal of ->
                    contest.peers(ServalPeer.class).stream()
                            .<CellResult>flatMap(
                                    serval -> new ServalRuns(serval, contest).run(of).stream())
                            .toList();
            case Cell.OfHandlers of ->
                    contest.peers(HelloPeer.class).stream()
                            .filter(peer -> peer.name().equals(contest.subject()))
                            .map(subject -> new HandlerRuns(subject, contest).run(of))
                            .toList();
            case Cell.OfContainers of -> List.copyOf(new ContainerRuns(contest).run(of));
        };
    }

    /// Fails after Ctrl-C, which stops every peer, so that the peers do not count as failed.
    private static void requireNotEnded(Stage stage) {
        if (stage.children().closing()) {
            throw new BenchFailure("the run was interrupted, so no results are kept");
        }
    }

    /// Returns the facts of a run on this machine.
    public static Environment environment(
            Proc proc, Cpus cpus, Map<String, String> versions, Settings settings)
            throws IOException {
        return new Environment(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                commit(),
                proc.kernel(),
                proc.cpuModel(),
                cpus.describe(),
                proc.memoryMegabytes(),
                Runtime.version().toString(),
                versions,
                settings.facts());
    }

    private static String commit() {
        String commit = Programs.firstLine(List.of("git", "rev-parse", "HEAD"));
        if (commit.equals("unknown")) {
            return commit;
        }
        String changes = Programs.firstLine(List.of("git", "status", "--porcelain"));
        return changes.equals("unknown") ? commit : commit + "+changes";
    }

    private void note(String line) {
        notes.add(line);
        progress.println(line);
    }
}
