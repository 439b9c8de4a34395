package dev.serval.bench.run;

import dev.serval.bench.load.Clients;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.FilePeer;
import dev.serval.bench.peer.HelloPeer;
import dev.serval.bench.peer.Peer;
import dev.serval.bench.peer.Peers;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.AbsentResult;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Environment;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.PeerFacts;
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
import java.util.stream.Collectors;

/// Runs a scenario, from the start of its peers to the report. Used once, by one thread.
public final class ScenarioRun {
    private final Scenario scenario;
    private final Settings settings;
    private final List<Peer> peers;
    private final PrintStream progress;
    private final Recorder recorder;
    private final Proc proc = new Proc(Path.of("/proc"));
    private final Map<String, String> versions = new TreeMap<>();
    private final List<PeerFacts> facts = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /// Makes a run with these peers.
    ///
    /// @param peers of the scenario, including those missing on this machine
    public ScenarioRun(
            Scenario scenario,
            Settings settings,
            List<Peer> peers,
            PrintStream progress,
            Recorder recorder) {
        this.scenario = scenario;
        this.settings = settings;
        this.peers = List.copyOf(peers);
        this.progress = progress;
        this.recorder = recorder;
    }

    /// Runs these cells, and chooses the CPUs.
    public Report run(List<Cell> cells) throws IOException {
        Cpus cpus = Cpus.choose(proc);
        cpus.moveSelf();
        try {
            return run(cells, cpus);
        } finally {
            cpus.moveBack();
        }
    }

    /// Runs these cells on these CPUs.
    Report run(List<Cell> cells, Cpus cpus) throws IOException {
        List<Peer> present = present();
        if (present.isEmpty()) {
            throw new BenchFailure(
                    "no peer can be started:\n"
                            + facts.stream()
                                    .map(peer -> peer.name() + " left out: " + peer.missing())
                                    .collect(Collectors.joining("\n")));
        }
        Report head;
        List<CellResult> results = new ArrayList<>();
        try (Stage stage = Stage.create(scenario.files(), cpus)) {
            WarFolder.explode(stage.site().root(), Peers.JARS, scenario.requests().values());
            Clients clients = Clients.find(stage);
            noteClient("wrk", "wrk", clients.wrk().isPresent());
            noteClient("ab", "apache2-utils", clients.ab().isPresent());
            head = head(cpus);
            recorder.begins(head);
            Stage asked = scenario.log() ? stage.logging() : stage;
            Bench bench = new Bench(asked, proc, settings, progress);
            Contest contest = new Contest(scenario, present, bench, new LoadRun(bench, clients));
            results.addAll(loadCells(cells, contest));
            for (Cell cell : cells) {
                if (!(cell instanceof Cell.Load)) {
                    recorder.cellBegins(cell.name());
                    List<CellResult> measured =
                            bench.cell(cell.name(), cell.title(), () -> other(cell, contest));
                    results.addAll(ended(stage, cell, measured));
                }
            }
        }
        return head.with(results);
    }

    /// Returns the report without cells.
    private Report head(Cpus cpus) throws IOException {
        return new Report(
                scenario.name(),
                scenario.title(),
                scenario.paper(),
                environment(proc, cpus, versions, settings),
                List.copyOf(facts),
                List.of(),
                List.copyOf(notes));
    }

    /// Keeps the results of a cell. After Ctrl-C they are worth nothing.
    private List<CellResult> ended(Stage stage, Cell cell, List<CellResult> results)
            throws IOException {
        requireNotEnded(stage);
        List<CellResult> all =
                results.isEmpty()
                        ? List.of(
                                new AbsentResult(
                                        cell.name(),
                                        cell.title(),
                                        Gap.Kind.NOT_MEASURED,
                                        "none of its peers takes part"))
                        : results;
        recorder.cellEnded(cell.name(), all);
        return all;
    }

    private List<Peer> present() {
        List<Peer> present = new ArrayList<>();
        for (Peer peer : peers) {
            Optional<String> missing = peer.missing();
            String version = missing.isPresent() ? "" : peer.version();
            facts.add(
                    new PeerFacts(
                            peer.name(),
                            peer.java(),
                            version,
                            peer.configuration(),
                            missing.orElse("")));
            if (missing.isPresent()) {
                progress.println(peer.name() + " left out: " + missing.get());
            } else {
                versions.put(peer.name(), version);
                if (scenario.log() && peer instanceof FilePeer file && !file.logs()) {
                    note(peer.name() + " writes no access log, which the others do");
                }
                present.add(peer);
            }
        }
        return present;
    }

    private void noteClient(String client, String debianPackage, boolean present) {
        if (present) {
            // wrk ends with an error after its version.
            String show = client + (client.equals("ab") ? " -V" : " -v") + "; true";
            String shown = Programs.firstLine(List.of("sh", "-c", show));
            versions.put(client, shown.replaceAll("^(wrk|.*Version) | *[<\\[].*", ""));
        } else {
            String lack = client + " is missing, so the own client replaces it: apt-get install ";
            note(lack + debianPackage);
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
        try (Contest.Started servers = contest.started(contest.peers(), stage)) {
            for (Cell.Load load : wanted) {
                recorder.cellBegins(load.name());
                results.addAll(ended(stage, load, List.of(contest.compared(servers, load))));
            }
        }
        return results;
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
            case Cell.OfServers of -> List.copyOf(new ServerRuns(contest).run(of));
        };
    }

    /// Fails after Ctrl-C, which stops every peer, so that the peers do not count as failed.
    public static void requireNotEnded(Stage stage) {
        BenchFailure.require(!stage.children().closing(), "the run was interrupted");
    }

    /// Returns the facts of a run on this machine. Its commit is not known here.
    public static Environment environment(
            Proc proc, Cpus cpus, Map<String, String> versions, Settings settings)
            throws IOException {
        return new Environment(
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                "unknown",
                proc.kernel(),
                proc.cpuModel(),
                cpus.describe(),
                proc.memoryMegabytes(),
                Runtime.version().toString(),
                versions,
                settings.facts());
    }

    private void note(String line) {
        notes.add(line);
        progress.println(line);
    }
}
