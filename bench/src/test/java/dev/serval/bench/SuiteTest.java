package dev.serval.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.page.ReportFiles;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.report.AbsentResult;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Samples;
import dev.serval.bench.run.Recorder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SuiteTest {
    private static final String DATE = "2026-01-02T03:04:05Z";

    @TempDir Path folder;
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> ran = new ArrayList<>();

    private Suite suite(boolean resume, boolean terminal) {
        return new Suite(
                folder, resume, new PrintStream(out, true, StandardCharsets.UTF_8), terminal);
    }

    private String text() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private static Job job(Job.Runner runner) {
        return new Job(
                "sample",
                List.of("one", "two", "three"),
                new TreeMap<>(Map.of("one", 60.0, "three", 120.0, "two", 660.0)),
                6,
                Map.of("rounds", "3"),
                runner);
    }

    /// Measures cells without time.
    private Report measured(List<String> cells, PrintStream progress, Recorder recorder)
            throws IOException {
        recorder.begins(Samples.report(DATE, List.of()));
        for (String cell : cells) {
            recorder.cellBegins(cell);
            progress.println("measuring " + cell);
            ran.add(cell);
            recorder.cellEnded(cell, List.of(result(cell, Gap.Kind.NOT_MEASURED)));
        }
        return Samples.report(DATE, List.of());
    }

    private static CellResult result(String cell, Gap.Kind kind) {
        return new AbsentResult(cell, cell, kind, "no reason");
    }

    private Report written() throws IOException {
        return ReportFiles.read(folder.resolve("sample-2026-01-02-030405.json"));
    }

    @Test
    void statesTheTimeAndWritesAllFiles() throws IOException {
        assertThat(suite(false, false).run(List.of(job(this::measured)))).isZero();
        assertThat(text())
                .contains("sample: about 14 minutes, 3 cells, 6 peers\n")
                .contains("one: about 60 seconds\nmeasuring one\n")
                .contains("0 %, 0 of 2 cells, about 13 minutes left\n");
        assertThat(written().cells())
                .extracting(CellResult::cell)
                .containsExactly("one", "two", "three");
        assertThat(written().environment().settings()).isEqualTo(Map.of("rounds", "3"));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "report.html",
                            "report.md",
                            "summary.svg",
                            "sample-2026-01-02-030405.json",
                            "sample-2026-01-02-030405.md");
        }
    }

    @Test
    void terminalHasABar() throws IOException {
        suite(false, true).run(List.of(job(this::measured)));
        assertThat(text()).contains("\n[------------------------]   0 %").contains("\r\033[K");
    }

    @Test
    void interruptedRunKeepsWhatIsDoneAndIsResumed() throws IOException {
        Suite first = suite(false, false);
        int code =
                first.run(
                        List.of(
                                job((_, progress, recorder) -> {
                                    measured(List.of("one"), progress, recorder);
                                    first.interrupted();
                                    throw new BenchFailure("the run was interrupted");
                                }),
                                job(this::measured)));
        assertThat(code).isEqualTo(2);
        assertThat(ran).containsExactly("one");
        assertThat(written().cells()).extracting(CellResult::cell).containsExactly("one");
        assertThat(folder.resolve("report.html")).exists();
        assertThat(suite(true, false).run(List.of(job(this::measured)))).isZero();
        assertThat(ran).containsExactly("one", "three", "two");
        assertThat(text())
                .contains("sample: about 13 minutes, 2 cells, 6 peers; 1 cell done before\n");
        assertThat(written().cells()).hasSize(3);
        assertThat(folder.resolve("sample.part.json")).doesNotExist();
    }

    @Test
    void runThatIsDoneIsNotRepeatedByResume() throws IOException {
        Job other =
                new Job(
                        "other",
                        List.of("x"),
                        Map.of("x", 1.0),
                        0,
                        Map.of(),
                        (_, _, _) -> {
                            throw new BenchFailure("no peer can be started");
                        });
        assertThat(suite(false, false).run(List.of(job(this::measured), other))).isEqualTo(2);
        assertThat(text())
                .contains("about 14 minutes, 2 scenarios\n")
                .contains("serval bench other: no peer can be started");
        ran.clear();
        assertThat(suite(true, false).run(List.of(job(this::measured)))).isZero();
        assertThat(ran).isEmpty();
        assertThat(written().cells()).hasSize(3);
    }

    @Test
    void resumeSaysWhyItBeginsAnew() throws IOException {
        assertThat(suite(true, false).run(List.of(job(this::measured)))).isZero();
        assertThat(text()).contains("sample begins anew: there is no ");
    }

    @Test
    void failedCellFailsTheRun() throws IOException {
        Job.Runner failing =
                (_, _, recorder) -> {
                    recorder.begins(Samples.report(DATE, List.of()));
                    recorder.cellBegins("one");
                    recorder.cellEnded("one", List.of(result("one", Gap.Kind.FAILED)));
                    return Samples.report(DATE, List.of());
                };
        assertThat(suite(false, false).run(List.of(job(failing)))).isEqualTo(1);
        assertThat(text()).contains("failed: no reason");
    }
}
