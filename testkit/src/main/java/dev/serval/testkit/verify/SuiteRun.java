package dev.serval.testkit.verify;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Runs an official test suite by Maven and prints what failed and how many tests passed. The
/// launcher `./serval tck` starts it from source.
public final class SuiteRun {
    private final Path root;
    private final Path module;
    private final PrintStream out;

    private SuiteRun(Path root, Path module, PrintStream out) {
        this.root = root;
        this.module = module;
        this.out = out;
    }

    /// Runs Maven and ends the process, with exit code 0 if every test passed or was skipped.
    ///
    /// @param arguments the folder of the source tree, the folder of the adapter's module, and
    ///     Maven's command
    /// @throws IOException if Maven does not start, or a report cannot be read
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]);
        SuiteRun run = new SuiteRun(root, root.resolve(arguments[1]), System.out);
        boolean good = run.isGood(List.of(arguments).subList(2, arguments.length));
        System.out.flush();
        System.exit(good ? 0 : 1);
    }

    private boolean isGood(List<String> maven) throws IOException, InterruptedException {
        Reports.clear(module);
        Path log = Files.createDirectories(root.resolve("target")).resolve("tck.log");
        out.printf("serval: running the suite; Maven's output goes to %s%n", log);
        Progress progress = new Progress(out, System::nanoTime);
        int exitCode = MavenRun.run(root, maven, log, progress);
        // The adapter's own tests do not run, so their missing reports do not count.
        Reports reports = new Reports(Reports.read(module).tests(), List.of());
        Summary summary = new Summary(reports, progress, exitCode != 0, false);
        names(reports);
        summary.print(out, root.relativize(log).toString());
        return summary.isGood();
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
