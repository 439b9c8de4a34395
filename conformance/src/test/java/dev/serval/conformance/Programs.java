package dev.serval.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.serval.testkit.TempTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs real clients. If one is not installed, the test is skipped with the name of its Debian package.
final class Programs {
    private static final int PATIENCE_SECONDS = 60;

    private Programs() {}

    /// The output and the exit code of a program.
    record Run(int exit, String out) {}

    /// Runs curl, which says nothing but what it gets and its errors.
    static Run curl(String... arguments) {
        List<String> all = new ArrayList<>(List.of("-sS", "--noproxy", "*", "--max-time", "30"));
        all.addAll(List.of(arguments));
        return run("curl", "curl", all.toArray(String[]::new));
    }

    /// Runs a program of a Debian package to its end.
    static Run run(String program, String debianPackage, String... arguments) {
        return runIfFound(program, "(Debian package " + debianPackage + ")", arguments);
    }

    /// Runs a program to its end.
    ///
    /// @param source says where to get it
    static Run runIfFound(String program, String source, String... arguments) {
        assumeTrue(installed(program), "needs " + program + " " + source);
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        try (TempTree folder = TempTree.create()) {
            Path out = folder.path("out");
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(out.toFile())
                            .start();
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " did not end:\n" + Files.readString(out));
            }
            return new Run(process.exitValue(), Files.readString(out, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + program + " ran", e);
        }
    }

    /// Starts a program of a Debian package, which the test writes to. Its output goes to a file.
    static Process start(String program, String debianPackage, Path out, String... arguments) {
        assumeTrue(
                installed(program), "needs " + program + " (Debian package " + debianPackage + ")");
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean installed(String program) {
        for (String folder : System.getenv("PATH").split(":", -1)) {
            if (Files.isExecutable(Path.of(folder, program))) {
                return true;
            }
        }
        return false;
    }
}
