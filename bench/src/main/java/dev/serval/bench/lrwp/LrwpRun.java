package dev.serval.bench.lrwp;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Cpus;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.run.Bench;
import dev.serval.bench.run.ScenarioRun;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Runs scenario `lrwp`: an echo beside static files, and the paper's OSP load. Used once, by one
/// thread.
public final class LrwpRun {
    /// The name on the command line.
    public static final String NAME = "lrwp";

    private static final String TITLE = "Applications that dial in by LRWP";

    private static final List<String> HISTORY =
            List.of(
                    "history: Xitami 2.5b5 in C answered 5,400 to 5,700 requests a second with one"
                            + " core full",
                    "history: the paper of 2007 had 8,575, 12,880 and 15,470 calls/min with Xitami"
                            + " on 1, 2 and 4 cores of 2.6 GHz, and 10,569, 20,578 and 27,246 with"
                            + " GlassFish");

    private final LrwpPrograms programs;
    private final Settings settings;
    private final PrintStream progress;
    private final Proc proc = new Proc(Path.of("/proc"));
    private final Numbers numbers = new Numbers(System.nanoTime());
    private final List<String> notes = new ArrayList<>(HISTORY);

    public LrwpRun(LrwpPrograms programs, Settings settings, PrintStream progress) {
        this.programs = programs;
        this.settings = settings;
        this.progress = progress;
    }

    /// Prints the cells.
    public static void list(PrintStream out) {
        out.println(NAME + "  " + TITLE);
        for (LrwpCell cell : LrwpCell.ALL) {
            out.printf("  %-24s %s%n", cell.name(), cell.title());
        }
    }

    /// Runs the cells of these names, or all if there are none.
    public Report run(List<String> names) throws IOException {
        List<String> known = LrwpCell.ALL.stream().map(LrwpCell::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                throw new BenchFailure(
                        "no cell '" + name + "'; there are: " + String.join(", ", known));
            }
        }
        return measured(names, Cpus.choose(proc));
    }

    /// Runs cells of known names on these CPUs.
    Report measured(List<String> names, Cpus cpus) throws IOException {
        List<CellResult> results = new ArrayList<>();
        try (Stage stage = Stage.create(Map.of(EchoRun.FILE, EchoRun.FILE_BYTES), cpus)) {
            for (LrwpCell cell : LrwpCell.ALL) {
                if (names.isEmpty() || names.contains(cell.name())) {
                    results.addAll(measured(cell, stage));
                }
            }
        }
        return new Report(
                NAME,
                TITLE,
                ScenarioRun.environment(proc, cpus, Map.of("serval", programs.version()), settings),
                results,
                List.copyOf(notes));
    }

    private List<CellResult> measured(LrwpCell cell, Stage stage) throws IOException {
        int cores = cell.cores();
        Cpus cpus = stage.cpus();
        if (cores > cpus.all().size() || (cores == 1 && !cpus.pinned())) {
            note(cell.name() + " left out: it needs taskset and this many CPUs: " + cores);
            return List.of();
        }
        Stage own = stage.on(cores == 0 ? cpus : cpus.first(cores));
        own.cpus().moveSelf();
        Bench bench = new Bench(own, proc, settings, progress);
        return switch (cell.name()) {
            case LrwpCell.ECHO -> new EchoRun(bench, programs, numbers).run(cell);
            case LrwpCell.TWO_WRITES ->
                    List.of(new TwoWritesRun(bench, programs, numbers).run(cell));
            default -> List.of(new OspRun(bench, programs, numbers).run(cell));
        };
    }

    private void note(String line) {
        notes.add(line);
        progress.println(line);
    }
}
