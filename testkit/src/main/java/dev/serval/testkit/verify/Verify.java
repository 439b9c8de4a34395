package dev.serval.testkit.verify;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Runs the build with its tests and prints the result. The launcher `./serval` starts it from
/// source, so that it works even if nothing compiles.
public final class Verify {
    private final Path root;
    private final boolean strict;
    private final PrintStream out;

    private Verify(Path root, boolean strict, PrintStream out) {
        this.root = root;
        this.strict = strict;
        this.out = out;
    }

    /// Runs Maven and ends the process, with exit code 0 if everything succeeded, otherwise 1.
    ///
    /// @param arguments the folder of the source tree; `strict`, `lenient`, or `suite` and the folder
    ///     of the module that runs an official test suite; and Maven's command
    /// @throws IOException if Maven does not start, or a report cannot be read
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path root = Path.of(arguments[0]);
        List<String> words = List.of(arguments);
        boolean good =
                words.get(1).equals("suite")
                        ? new SuiteRun(root, words.get(2), System.out)
                                .isGood(words.subList(3, words.size()))
                        : new Verify(root, words.get(1).equals("strict"), System.out)
                                .isGood(words.subList(2, words.size()));
        System.out.flush();
        System.exit(good ? 0 : 1);
    }

    private boolean isGood(List<String> maven) throws IOException, InterruptedException {
        Reports.clear(root);
        Path log = Files.createDirectories(root.resolve("target")).resolve("verify.log");
        out.printf("serval: verifying; Maven's output goes to %s%n", log);
        Progress progress = new Progress(out, System::nanoTime);
        int exitCode = MavenRun.run(root, maven, log, progress);
        Summary summary = new Summary(Reports.read(root, !strict), progress, exitCode != 0, strict);
        summary.print(out, root.relativize(log).toString());
        return summary.isGood();
    }
}
