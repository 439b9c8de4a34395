package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.SingleResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Measures the time from the start of `java` to the subject's ready line, on every CPU as a user
/// starts it. The server must answer a request right after that line.
final class ReadyRun {
    private final ServalPeer subject;
    private final Stage stage;
    private final PrintStream progress;

    ReadyRun(ServalPeer subject, Stage stage, PrintStream progress) {
        this.subject = subject;
        this.stage = stage;
        this.progress = progress;
    }

    SingleResult run(Cell.Ready cell) {
        SingleResult.Measured what =
                new SingleResult.Measured(cell.name(), cell.title(), "s", cell.gateSeconds());
        List<Double> seconds = new ArrayList<>();
        try {
            for (int i = 0; i < cell.starts(); i++) {
                double one = start(cell.launcher());
                progress.printf("%s  %.3f s%n", cell.name(), one);
                seconds.add(one);
            }
        } catch (IOException | BenchFailure e) {
            return SingleResult.failed(what, String.valueOf(e.getMessage()));
        }
        return SingleResult.of(
                what,
                seconds,
                (cell.launcher() ? "./serval run" : "java -jar")
                        + " on every CPU; each answered a request right after the line");
    }

    private double start(boolean launcher) throws IOException {
        int port = stage.freePort();
        Path root = stage.site().root();
        List<String> command =
                stage.cpus()
                        .anywhere(
                                launcher
                                        ? ServalPeer.launcherCommand(root, port)
                                        : subject.command(root, port));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        long start = System.nanoTime();
        Process process = stage.children().start(builder);
        try (BufferedReader output = process.inputReader()) {
            awaitLine(output, "http://127.0.0.1:" + port);
            long ready = System.nanoTime();
            if (!Stage.answers(port)) {
                throw new BenchFailure("the server printed its ready line but did not answer");
            }
            return (ready - start) / 1e9;
        } finally {
            stage.children().stop(process);
        }
    }

    private static void awaitLine(BufferedReader output, String wanted) throws IOException {
        StringBuilder seen = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains(wanted)) {
                return;
            }
            seen.append(line).append('\n');
        }
        throw new BenchFailure("the server ended without a ready line: " + seen.toString().trim());
    }
}
