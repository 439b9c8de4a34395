package dev.serval.bench.page;

import dev.serval.bench.report.Environment;
import dev.serval.bench.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Keeps the results of a run in a file, cell by cell, so that an interrupted run can be resumed.
///
/// Legal order: perhaps [#resume], then [#begin], then [#keep] for each cell, and [#report] at any
/// time after [#begin]. Thread-safe, because the thread that runs after Ctrl-C writes the report.
public final class Journal {
    private final Path file;
    private final List<String> order;
    private @Nullable Part part;

    /// Makes a journal of a scenario in a folder.
    ///
    /// @param order the names of the scenario's cells
    public Journal(Path folder, String scenario, List<String> order) {
        this.file = file(folder, scenario);
        this.order = List.copyOf(order);
    }

    private static Path file(Path folder, String scenario) {
        return folder.resolve(scenario + ".part.json");
    }

    /// Reads the cells of an interrupted run of the same commit and settings.
    ///
    /// @return why there are none, or empty if they are kept
    public synchronized String resume(String commit, Map<String, String> settings) {
        if (!Files.exists(file)) {
            return "there is no " + file;
        }
        Part read;
        try {
            read = ReportFiles.readPart(file);
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
        Environment of = read.head().environment();
        if (!of.commit().equals(commit)) {
            return file + " is of commit " + of.commit() + ", and this is " + commit;
        }
        if (!of.settings().equals(settings)) {
            return file + " has other settings: " + of.settings() + ", and these are " + settings;
        }
        part = read;
        return "";
    }

    /// Begins a report. After [#resume] the date of the run that is resumed stays, so that its files
    /// are replaced.
    public synchronized void begin(Report head) throws IOException {
        Part before = part;
        Environment environment = head.environment();
        part =
                before == null
                        ? new Part(head, List.of())
                        : new Part(
                                head.in(environment.at(before.head().environment().date())),
                                before.kept());
        ReportFiles.writePart(part, file);
    }

    /// Keeps the results of a cell that is done.
    public synchronized void keep(Part.Kept cell) throws IOException {
        Part before = Objects.requireNonNull(part);
        List<Part.Kept> kept = new ArrayList<>(before.kept());
        kept.add(cell);
        part = new Part(before.head(), kept);
        ReportFiles.writePart(part, file);
    }

    /// Returns the cells that are done.
    public synchronized List<Part.Kept> kept() {
        return part == null ? List.of() : part.kept();
    }

    /// Returns the report of the cells so far, or null before it has begun.
    public synchronized @Nullable Report report() {
        return part == null ? null : part.report(order);
    }

    /// Deletes the file of a scenario, if there is one.
    public static void delete(Path folder, String scenario) throws IOException {
        Files.deleteIfExists(file(folder, scenario));
    }
}
