package dev.serval.bench.load;

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
import dev.serval.bench.servlet.Request;
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
import java.util.function.Function;

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
    /// @param progress receives a line for each step
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
            Optional<Wrk> wrk = Wrk.find(stage);
            if (wrk.isEmpty()) {
                note("wrk is missing, so the own client replaces it: apt-get install wrk");
            }
            wrk.ifPresent(w -> versions.put("wrk", "present"));
            if (Ab.find(stage).isEmpty()) {
                note(
                        "ab is missing, so the own client replaces it:"
                                + " apt-get install apache2-utils");
            } else {
                versions.put("ab", "present");
            }
            Bench bench = new Bench(stage, proc, settings, progress);
            LoadRun loads = loads(stage, wrk);
            results.addAll(loadCells(cells, present, stage, loads));
            results.addAll(servalCells(cells, present, bench, loads));
            results.addAll(handlerCells(cells, present, bench, loads, other -> loads(other, wrk)));
            results.addAll(containerCells(cells, present, bench, loads));
            requireNotEnded(stage);
        }
        return new Report(
                scenario.name(), scenario.title(), environment(cpus), results, List.copyOf(notes));
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

    /// Measures the load cells. All peers run at the same time, so that their rounds can be
    /// interleaved. Only one has load at a time, and CPU time of the others counts as a
    /// disturbance.
    private List<CellResult> loadCells(
            List<Cell> cells, List<Peer> present, Stage stage, LoadRun loads) throws IOException {
        List<Cell.Load> wanted = new ArrayList<>();
        for (Cell cell : cells) {
            if (cell instanceof Cell.Load load) {
                wanted.add(load);
            }
        }
        if (wanted.isEmpty()) {
            return List.of();
        }
        List<CellResult> results = new ArrayList<>();
        List<RunningPeer> running = new ArrayList<>();
        try {
            for (Peer peer : present) {
                progress.printf("starting %s%n", peer.name());
                running.add(peer.start(stage));
            }
            for (Cell.Load load : wanted) {
                results.add(loads.run(work(load, stage), running, comparison(load)));
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

    private LoadRun loads(Stage stage, Optional<Wrk> wrk) {
        return new LoadRun(
                new Meter(proc, stage.cpus(), settings),
                new Clients(new OwnClient(), wrk.map(w -> w.on(stage)), Ab.find(stage)),
                settings,
                progress);
    }

    private List<CellResult> servalCells(
            List<Cell> cells, List<Peer> present, Bench bench, LoadRun loads) {
        List<CellResult> results = new ArrayList<>();
        for (Cell cell : cells) {
            for (Peer peer : present) {
                if (peer instanceof ServalPeer subject) {
                    results.addAll(servalCell(cell, subject, bench, loads));
                }
            }
        }
        return results;
    }

    private List<? extends CellResult> servalCell(
            Cell cell, ServalPeer subject, Bench bench, LoadRun loads) {
        Stage stage = bench.stage();
        return switch (cell) {
            case Cell.Load _, Cell.OfHandlers _, Cell.OfContainers _ -> List.of();
            case Cell.Ready ready -> List.of(new ReadyRun(subject, stage, progress).run(ready));
            case Cell.Resident resident ->
                    List.of(
                            new ResidentRun(subject, stage, proc, loads)
                                    .run(
                                            resident,
                                            resident.after().stream()
                                                    .map(name -> work(name, stage))
                                                    .toList()));
            case Cell.Idle idle ->
                    new IdleRun(subject, bench, loads).run(idle, work(idle.beside(), stage));
        };
    }

    private List<CellResult> handlerCells(
            List<Cell> cells,
            List<Peer> present,
            Bench bench,
            LoadRun loads,
            Function<Stage, LoadRun> loadsOn) {
        List<HelloPeer> hello = new ArrayList<>();
        for (Peer peer : present) {
            if (peer instanceof HelloPeer one) {
                hello.add(one);
            }
        }
        Optional<HelloPeer> subject =
                hello.stream().filter(p -> p.name().equals(scenario.subject())).findFirst();
        List<CellResult> results = new ArrayList<>();
        for (Cell cell : cells) {
            if (subject.isPresent() && cell instanceof Cell.OfHandlers wanted) {
                results.add(
                        new HandlerRuns(hello, subject.get(), bench, loads, loadsOn)
                                .run(wanted, name -> work(name, bench.stage())));
                requireNotEnded(bench.stage());
            }
        }
        return results;
    }

    private List<CellResult> containerCells(
            List<Cell> cells, List<Peer> present, Bench bench, LoadRun loads) throws IOException {
        List<CellResult> results = new ArrayList<>();
        ContainerRuns runs = new ContainerRuns(present, scenario.subject(), bench, loads);
        for (Cell cell : cells) {
            if (cell instanceof Cell.OfContainers wanted) {
                results.addAll(runs.run(wanted, name -> work(name, bench.stage())));
                requireNotEnded(bench.stage());
            }
        }
        return results;
    }

    /// Fails after Ctrl-C, which stops every peer, so that the peers do not count as failed.
    private static void requireNotEnded(Stage stage) {
        if (stage.children().closing()) {
            throw new BenchFailure("the run was interrupted, so no results are kept");
        }
    }

    private Work work(String cell, Stage stage) {
        return work(scenario.loadCell(cell), stage);
    }

    private Work work(Cell.Load load, Stage stage) {
        Request request = scenario.requests().get(load.file());
        return request == null
                ? new Work(load, stage.site().page(load.file()), null)
                : new Work(load, request.page(), request);
    }

    private Environment environment(Cpus cpus) throws IOException {
        return environment(proc, cpus, versions, settings);
    }

    /// Returns the facts of a run on this machine.
    ///
    /// @param versions of peers and clients, by name
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
