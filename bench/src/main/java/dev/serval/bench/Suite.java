package dev.serval.bench;

import dev.serval.bench.page.Journal;
import dev.serval.bench.page.Part;
import dev.serval.bench.page.ReportFiles;
import dev.serval.bench.page.ReportFolder;
import dev.serval.bench.page.ReportText;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Children;
import dev.serval.bench.report.AbsentResult;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Report;
import dev.serval.bench.run.Recorder;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Runs scenarios one after the other, and keeps what is done after each cell. After Ctrl-C the
/// report has the cells that are done. Used once; a shutdown hook is the only other thread.
final class Suite {
    private final Path folder;
    private final boolean resume;
    private final PrintStream out;
    private final boolean terminal;
    private final Progress progress = new Progress(System::nanoTime);
    private @Nullable Journal current;
    private volatile boolean interrupted;

    /// @param folder where results go
    /// @param resume whether cells that an interrupted run has measured are skipped
    /// @param terminal whether `out` is a terminal, which shows a bar
    Suite(Path folder, boolean resume, PrintStream out, boolean terminal) {
        this.folder = folder;
        this.resume = resume;
        this.out = out;
        this.terminal = terminal;
    }

    /// Runs the jobs.
    ///
    /// @return 0 if all gates passed, 1 if one failed, 2 if a job could not run
    int run(List<Job> jobs) throws IOException {
        Thread hook = new Thread(this::interrupted, "write-report");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return runAll(jobs);
        } finally {
            Children.removeHook(hook);
        }
    }

    private int runAll(List<Job> jobs) throws IOException {
        jobs.forEach(job ->
                job.estimates().forEach((cell, s) -> progress.add(job.name() + " " + cell, s)));
        if (jobs.size() > 1) {
            out.println(Progress.text(progress.leftSeconds()) + ", " + jobs.size() + " scenarios");
        }
        int code = 0;
        for (Job job : jobs) {
            if (!interrupted) {
                code = Math.max(code, run(job));
            }
        }
        if (code < 2) {
            for (Job job : jobs) {
                Journal.delete(folder, job.name());
            }
        }
        return code;
    }

    private int run(Job job) throws IOException {
        Journal journal = new Journal(folder, job.name(), job.order());
        String commit = WorkingCopy.commit(Path.of(""), folder);
        if (resume) {
            String why = journal.resume(commit, job.settings());
            if (!why.isEmpty()) {
                out.println(job.name() + " begins anew: " + why);
            }
        }
        List<String> cells = rest(job, journal);
        out.println(job.outlook(cells, progress::correctedSeconds));
        begin(journal);
        try {
            if (!cells.isEmpty()) {
                measure(job, cells, journal, commit);
            }
        } catch (IOException | BenchFailure e) {
            cells.forEach(cell -> progress.drop(job.name() + " " + cell));
            out.println("serval bench " + job.name() + ": " + e.getMessage());
            write();
            return 2;
        }
        Report report = write();
        return report == null || report.passed() ? 0 : 1;
    }

    /// Returns the cells that are not done, and tells the progress of the others.
    private List<String> rest(Job job, Journal journal) {
        for (Part.Kept kept : journal.kept()) {
            String cell = job.name() + " " + kept.cell();
            if (isMeasured(kept.results())) {
                progress.took(cell, kept.seconds());
            } else {
                progress.drop(cell);
            }
        }
        List<String> done = journal.kept().stream().map(Part.Kept::cell).toList();
        return job.estimates().keySet().stream().filter(cell -> !done.contains(cell)).toList();
    }

    private void measure(Job job, List<String> cells, Journal journal, String commit)
            throws IOException {
        if (!terminal) {
            job.runner().run(cells, out, recorder(job, journal, commit, out));
            return;
        }
        // The bar's stream does not close the terminal.
        try (PrintStream lines =
                new PrintStream(
                        new BarStream(out, () -> progress.line(true)),
                        true,
                        StandardCharsets.UTF_8)) {
            job.runner().run(cells, lines, recorder(job, journal, commit, lines));
        }
    }

    /// @param lines receives what is said about each cell
    private Recorder recorder(Job job, Journal journal, String commit, PrintStream lines) {
        return new Recorder() {
            @Override
            public void begins(Report head) throws IOException {
                journal.begin(head.in(head.environment().with(commit, job.settings())));
            }

            @Override
            public void cellBegins(String cell) {
                double estimate = job.estimates().getOrDefault(cell, 0.0);
                lines.println(cell + ": " + Progress.text(progress.correctedSeconds(estimate)));
                progress.begin(job.name() + " " + cell);
            }

            @Override
            public void cellEnded(String cell, List<CellResult> results) throws IOException {
                double seconds = progress.end(isMeasured(results));
                journal.keep(new Part.Kept(cell, seconds, results));
                if (!terminal) {
                    out.println(progress.line(false));
                }
            }
        };
    }

    /// Returns whether a cell took its time, because the machine has what it needs.
    private static boolean isMeasured(List<CellResult> results) {
        return !results.stream()
                .allMatch(result ->
                        result instanceof AbsentResult absent
                                && absent.reason() == Gap.Kind.NOT_MEASURED);
    }

    private synchronized void begin(Journal journal) {
        current = journal;
    }

    /// Writes the report of the cells that are done, once for each job.
    private synchronized @Nullable Report write() throws IOException {
        Journal journal = current;
        Report report = journal == null ? null : journal.report();
        current = null;
        if (report != null && !report.cells().isEmpty()) {
            out.println();
            out.print(new ReportText(report).text());
            out.println("\nWritten: " + ReportFiles.write(report, folder));
            ReportFolder all = ReportFolder.read(folder, Main.plans());
            out.println("Written: " + all.write());
            if (!all.leftOut().isEmpty()) {
                out.println(
                        all.leftOut().size()
                                + " files of this folder are not in it: serval bench report "
                                + folder
                                + " says why");
            }
        }
        return report;
    }

    /// Keeps what is done after Ctrl-C.
    void interrupted() {
        interrupted = true;
        try {
            write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
