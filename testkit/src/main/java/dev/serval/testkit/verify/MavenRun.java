package dev.serval.testkit.verify;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// Runs one Maven command as a child process and shows its progress. Stateless; the calling thread
/// reads the output, and a timer prints a sign of life.
final class MavenRun {
    private static final Pattern COLOURS = Pattern.compile("\\x1b\\[[0-9;]*m");
    private static final int SIGN_OF_LIFE_SECONDS = 60;

    private MavenRun() {}

    /// Runs Maven, copies its output to a file and passes each line to `progress`.
    ///
    /// @param root the folder that Maven runs in
    /// @return the exit code of Maven
    static int run(Path root, List<String> maven, Path log, Progress progress)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(maven)
                        .directory(root.toFile())
                        .redirectErrorStream(true)
                        .start();
        // If this process is ended, the build must end too.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
        process.getOutputStream().close();
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
                BufferedReader lines = process.inputReader(StandardCharsets.UTF_8);
                PrintWriter copy =
                        new PrintWriter(Files.newBufferedWriter(log, StandardCharsets.UTF_8))) {
            var alive =
                    timer.scheduleAtFixedRate(
                            progress::signOfLife,
                            SIGN_OF_LIFE_SECONDS,
                            SIGN_OF_LIFE_SECONDS,
                            TimeUnit.SECONDS);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String plain = COLOURS.matcher(line).replaceAll("");
                copy.println(plain);
                copy.flush();
                progress.line(plain);
            }
            alive.cancel(false);
        }
        return process.waitFor();
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }
}
