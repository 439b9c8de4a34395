package dev.serval.bench.run;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.scenario.Cell;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Measures the server of this repository alone: its start and its memory.
record ServalRuns(ServalPeer subject, Contest contest) {
    /// Measures a cell.
    List<SingleResult> run(Cell.OfServal cell) {
        return switch (cell) {
            case Cell.Ready ready -> List.of(ready(ready));
            case Cell.Resident resident -> List.of(resident(resident));
        };
    }

    /// Measures the time from the start of `java` to the ready line, on every CPU as a user starts
    /// it. The server must answer a request right after that line.
    private SingleResult ready(Cell.Ready cell) {
        return contest.single(
                cell,
                "s",
                cell.gateSeconds(),
                what -> {
                    List<Double> seconds = new ArrayList<>();
                    for (int i = 0; i < cell.starts(); i++) {
                        seconds.add(start(cell.launcher()));
                        contest.say("%s  %.3f s", cell.name(), seconds.getLast());
                    }
                    String command = cell.launcher() ? "./serval run" : "java -jar";
                    String note = " on every CPU; each answered a request right after the line";
                    return SingleResult.of(what, seconds, command + note);
                });
    }

    private double start(boolean launcher) throws IOException {
        Stage stage = contest.stage();
        int port = stage.freePort();
        List<String> command =
                launcher ? subject.launcher(stage, port) : subject.command(stage, port);
        ProcessBuilder builder =
                new ProcessBuilder(stage.cpus().anywhere(command)).redirectErrorStream(true);
        long start = System.nanoTime();
        Process process = stage.children().start(builder);
        try (BufferedReader output = process.inputReader()) {
            awaitLine(output, "http://127.0.0.1:" + port);
            long ready = System.nanoTime();
            if (!Stage.answers(port, stage.protocol())) {
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

    /// Measures the resident memory after load. The server is started on every CPU as a user starts
    /// it, so that the JVM chooses its usual collector and heap. VmRSS also counts mapped files,
    /// including the JDK's own.
    private SingleResult resident(Cell.Resident cell) {
        return contest.single(
                cell,
                "MB",
                cell.gateMegabytes(),
                what -> {
                    try (RunningPeer server = subject.startAnywhere(contest.stage())) {
                        for (String after : cell.after()) {
                            contest.loads().warm(contest.work(after), server);
                        }
                        double peak = contest.proc().statusBytes(server.pid(), "VmHWM") / 1e6;
                        double resident = contest.proc().statusBytes(server.pid(), "VmRSS") / 1e6;
                        return SingleResult.of(
                                what,
                                List.of(resident),
                                String.format(
                                        "VmRSS after warm-up rounds of %s; peak (VmHWM) %.0f MB",
                                        String.join(", ", cell.after()), peak));
                    }
                });
    }
}
