package dev.serval.testkit.verify;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Runs an official test suite by Maven and prints what failed and how many tests passed. Used
/// once, by the main thread.
final class SuiteRun {
    private final Path root;
    private final String module;
    private final PrintStream out;

    /// Creates a run.
    ///
    /// @param root the folder of the source tree
    /// @param module the folder of the adapter's module, relative to `root`
    SuiteRun(Path root, String module, PrintStream out) {
        this.root = root;
        this.module = module;
        this.out = out;
    }

    /// Runs Maven and returns whether every test passed or was skipped.
    ///
    /// @param maven Maven's command
    /// @throws IOException if Maven does not start, or a report cannot be read
    boolean isGood(List<String> maven) throws IOException, InterruptedException {
        Path folder = root.resolve(module);
        Reports.clear(folder);
        Path log = Files.createDirectories(root.resolve("target")).resolve("tck.log");
        out.printf("serval: running the suite; Maven's output goes to %s%n", log);
        Progress progress = new Progress(out, System::nanoTime);
        int exitCode = MavenRun.run(root, maven, log, progress);
        // The adapter's own tests do not run, so their missing reports do not count.
        Reports reports = new Reports(tests(folder), List.of(), List.of());
        Summary summary = new Summary(reports, progress, exitCode != 0, false);
        names(reports);
        summary.print(out, root.relativize(log).toString());
        return summary.isGood();
    }

    private List<TestResult> tests(Path folder) throws IOException {
        return Reports.read(folder, false).tests().stream()
                .map(test -> new TestResult(module, test.className(), test.test(), test.outcome()))
                .toList();
    }

    /// Prints the full name of every failed test, because the summary shows the traces of some only.
    private void names(Reports reports) {
        for (TestResult result : reports.tests()) {
            if (result.outcome() instanceof TestResult.Outcome.Failed) {
                out.printf("failed: %s.%s%n", result.className(), result.test());
            }
        }
    }
}
