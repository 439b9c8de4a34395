package dev.serval.bench.lrwp;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.run.Bench;
import dev.serval.bench.run.Estimate;
import dev.serval.bench.run.Recorder;
import dev.serval.bench.run.ScenarioRun;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Runs scenario `lrwp`: an echo beside static files, and the paper's OSP load. Used once, by one
/// thread.
public final class LrwpRun {
    /// The name on the command line.
    public static final String NAME = "lrwp";

    private static final String TITLE = "Applications that dial in by LRWP";

    private static final List<String> HISTORY =
            List.of(
                    "history: Xitami 2.5b5 in C answered 5,400 to 5,700 requests a second with one"
                            + " core full");

    private static final String PAPER =
            "N. Nagarajayya and others, Making Java technology faster than C with LRWP (2007)";

    /// What the machine needs beside two large heaps.
    private static final int RESERVE_MEGABYTES = 2000;

    private static final Map<String, Integer> FILES =
            Map.of(EchoRun.FILE, EchoRun.FILE_BYTES, Scenario.FLOOR, 13);

    private final LrwpPrograms programs;
    private final Settings settings;
    private final PrintStream progress;
    private final Recorder recorder;
    private final Proc proc = new Proc(Path.of("/proc"));
    private final Numbers numbers = new Numbers(System.nanoTime());

    public LrwpRun(
            LrwpPrograms programs, Settings settings, PrintStream progress, Recorder recorder) {
        this.programs = programs;
        this.settings = settings;
        this.progress = progress;
        this.recorder = recorder;
    }

    /// Returns the names of all cells.
    public static List<String> cells() {
        return LrwpCell.ALL.stream().map(LrwpCell::name).toList();
    }

    /// Returns how long each of these cells takes, in seconds.
    public static Map<String, Double> estimates(List<String> names, Settings settings)
            throws IOException {
        Estimate estimate = new Estimate(settings, 1);
        Map<String, Double> seconds = new LinkedHashMap<>();
        for (LrwpCell cell : LrwpCell.ALL) {
            if (names.contains(cell.name())) {
                boolean ramp = cell.name().equals(LrwpCell.RAMP);
                // Other cells load two kinds of requests, or two processes.
                double all = ramp ? estimate.seconds(EchoRamp.ramp()) : 2 * estimate.load();
                seconds.put(cell.name(), all);
            }
        }
        return seconds;
    }

    /// Prints the cells.
    public static void list(PrintStream out) {
        out.println(NAME + "  " + TITLE);
        for (LrwpCell cell : LrwpCell.ALL) {
            out.printf("  %-24s %s%n", cell.name(), cell.title());
        }
    }

    /// Runs the cells of these names.
    public Report run(List<String> names) throws IOException {
        Cpus cpus = Cpus.choose(proc);
        try {
            return measured(names, cpus);
        } finally {
            cpus.moveBack();
        }
    }

    /// Runs cells of known names on these CPUs.
    Report measured(List<String> names, Cpus cpus) throws IOException {
        Report head =
                new Report(
                        NAME,
                        TITLE,
                        PAPER,
                        ScenarioRun.environment(
                                proc, cpus, Map.of("serval", programs.version()), settings),
                        List.of(),
                        List.of(),
                        HISTORY);
        recorder.begins(head);
        List<CellResult> results = new ArrayList<>();
        try (Stage stage = Stage.create(FILES, cpus)) {
            for (LrwpCell cell : LrwpCell.ALL) {
                if (names.contains(cell.name())) {
                    recorder.cellBegins(cell.name());
                    List<CellResult> ended =
                            new Bench(stage, proc, settings, progress)
                                    .cell(cell.name(), cell.title(), () -> measured(cell, stage));
                    ScenarioRun.requireNotEnded(stage);
                    recorder.cellEnded(cell.name(), ended);
                    results.addAll(ended);
                }
            }
        }
        return head.with(results);
    }

    private List<CellResult> measured(LrwpCell cell, Stage stage) throws IOException {
        Cpus cpus = stage.cpus();
        Optional<String> missing = missing(cell, cpus, proc.memoryMegabytes());
        if (missing.isPresent()) {
            throw BenchFailure.lack(missing.get(), null);
        }
        Stage own = stage.on(cell.cores() == 0 ? cpus : cpus.first(cell.cores()));
        own.cpus().moveSelf();
        Bench bench = new Bench(own, proc, settings, progress);
        return switch (cell.name()) {
            case LrwpCell.ECHO -> new EchoRun(bench, programs, numbers).run(cell);
            case LrwpCell.TWO_WRITES ->
                    List.of(new TwoWritesRun(bench, programs, numbers).run(cell));
            case LrwpCell.RAMP -> List.of(new EchoRamp(bench, programs, numbers).run(cell));
            default -> List.of(new OspRun(bench, programs, numbers, cell).run());
        };
    }

    /// Returns what a machine lacks for a cell, or empty.
    static Optional<String> missing(LrwpCell cell, Cpus cpus, long memoryMegabytes) {
        int cores = cell.cores();
        if (cores > cpus.all().size() || (cores == 1 && !cpus.pinned())) {
            return Optional.of("it needs taskset and this many CPUs: " + cores);
        }
        int megabytes = 2 * cell.heapMegabytes() + RESERVE_MEGABYTES;
        if (megabytes > memoryMegabytes) {
            return Optional.of("it needs " + megabytes + " MB of memory");
        }
        return cell.load() == LrwpCell.Load.TOOLKIT ? Toolkit.missing() : Optional.empty();
    }
}
