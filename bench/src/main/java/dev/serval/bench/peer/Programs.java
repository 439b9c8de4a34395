package dev.serval.bench.peer;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Finds programs of the system, and runs short ones until they end.
public final class Programs {
    private Programs() {}

    /// Finds a program on the PATH or in the folders for servers, which are not on a user's PATH.
    public static Optional<Path> find(String name) {
        List<String> folders = new ArrayList<>();
        String path = System.getenv("PATH");
        if (path != null) {
            folders.addAll(List.of(path.split(File.pathSeparator, -1)));
        }
        folders.addAll(List.of("/usr/sbin", "/usr/local/sbin", "/sbin"));
        return folders.stream()
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /// Runs a program and returns what it prints on both streams. The program must end by itself.
    ///
    /// @throws BenchFailure if the program cannot be started or ends with an error
    public static String output(List<String> command) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            BenchFailure.require(
                    code == 0,
                    String.join(" ", command) + " ended with " + code + ": " + output.trim());
            return output;
        } catch (IOException e) {
            throw new BenchFailure("cannot run " + command.get(0) + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted", e));
        }
    }

    /// Returns the first line that a program prints, such as its version, or `unknown` if it fails.
    public static String firstLine(List<String> command) {
        try {
            return output(command).lines().findFirst().orElse("unknown").trim();
        } catch (BenchFailure e) {
            return "unknown";
        }
    }
}
