package dev.serval.bench.lrwp;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Programs;
import dev.serval.bench.peer.Resources;
import dev.serval.bench.peer.Stage;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/// The client of the examples over Debian's OSP toolkit, compiled for a run. Used by one thread.
record Toolkit(Stage stage, Path folder) {
    private static final Path HEADER = Path.of("/usr/include/osp/osp.h");
    private static final String NEEDED = "apt-get install gcc libosptk-dev openssl";

    /// Returns what is missing and the command that installs it, or empty.
    static Optional<String> missing() {
        boolean programs = Programs.find("cc").isPresent() && Programs.find("openssl").isPresent();
        return programs && Files.exists(HEADER)
                ? Optional.empty()
                : Optional.of("the OSP toolkit is missing: " + NEEDED);
    }

    /// Compiles the client.
    static Toolkit compile(Stage stage, Path source) throws IOException {
        Path folder = Files.createDirectories(stage.folder().resolve("toolkit"));
        String file = source.toAbsolutePath().toString();
        String script = Resources.text(Toolkit.class, "toolkit.sh");
        Programs.output(List.of("sh", "-e", "-c", script, folder.toString(), file));
        return new Toolkit(stage, folder);
    }

    /// Lets so many clients make calls for a time. The outcome counts messages, two for each call, and
    /// has no latencies.
    ///
    /// @throws BenchFailure if a call fails
    PostLoad.Outcome run(int port, int clients, int seconds) throws IOException {
        String certificate = folder.resolve("certificate.der").toString();
        List<String> command =
                List.of(
                        folder.resolve("osp_client").toString(),
                        "http://127.0.0.1:" + port + "/osp",
                        folder.resolve("key.der").toString(),
                        certificate,
                        certificate,
                        "14048724799",
                        "16785551234",
                        String.valueOf(clients),
                        String.valueOf(seconds));
        Process process =
                stage.children().start(new ProcessBuilder(command).redirectErrorStream(true));
        try (BufferedReader lines = process.inputReader()) {
            String line = String.valueOf(lines.readLine());
            long start = System.nanoTime();
            if (line.equals("ready")) {
                line = String.valueOf(lines.readLine());
            }
            long nanos = System.nanoTime() - start;
            if (!line.matches("calls \\d+") || process.onExit().join().exitValue() != 0) {
                throw new BenchFailure("a client of the OSP toolkit failed: " + line);
            }
            long messages = 2 * Long.parseLong(line.substring("calls ".length()));
            return new PostLoad.Outcome(messages, 0, "", nanos, new Histogram(1000, 1));
        } finally {
            stage.children().stop(process);
        }
    }
}
