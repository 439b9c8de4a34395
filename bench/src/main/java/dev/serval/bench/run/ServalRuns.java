package dev.serval.bench.run;

import dev.serval.bench.load.Client;
import dev.serval.bench.load.IdleConnections;
import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.JvmMemory;
import dev.serval.bench.peer.LauncherPeer;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.scenario.Cell;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Measures the server of this repository alone: its start, its memory, and what idle connections
/// cost it.
final class ServalRuns {

    /// Descriptors that are needed beside those of the idle connections.
    private static final int RESERVE = 1000;

    private final ServalPeer subject;
    private final Contest contest;
    private final Bench bench;
    private final LoadRun loads;
    private final Stage stage;
    private final Proc proc;

    ServalRuns(ServalPeer subject, Contest contest) {
        this.subject = subject;
        this.contest = contest;
        this.bench = contest.bench();
        this.loads = contest.loads();
        this.stage = bench.stage();
        this.proc = bench.proc();
    }

    /// Measures a cell.
    List<SingleResult> run(Cell.OfServal cell) {
        return switch (cell) {
            case Cell.Ready ready -> List.of(ready(ready));
            case Cell.Resident resident -> List.of(resident(resident));
            case Cell.Idle idle -> idle(idle, contest.work(idle.beside()));
        };
    }

    /// Measures the time from the start of `java` to the ready line, on every CPU as a user starts
    /// it. The server must answer a request right after that line.
    private SingleResult ready(Cell.Ready cell) {
        SingleResult.Measured what =
                new SingleResult.Measured(cell.name(), cell.title(), "s", cell.gateSeconds());
        return Contest.attempt(
                what,
                () -> {
                    List<Double> seconds = new ArrayList<>();
                    for (int i = 0; i < cell.starts(); i++) {
                        seconds.add(start(cell.launcher()));
                        bench.progress().printf("%s  %.3f s%n", cell.name(), seconds.getLast());
                    }
                    return SingleResult.of(
                            what,
                            seconds,
                            (cell.launcher() ? "./serval run" : "java -jar")
                                    + " on every CPU; each answered a request right after the line");
                });
    }

    private double start(boolean launcher) throws IOException {
        int port = stage.freePort();
        List<String> command =
                launcher
                        ? LauncherPeer.usual(subject.arguments(stage, port))
                        : subject.command(stage, port);
        ProcessBuilder builder =
                new ProcessBuilder(stage.cpus().anywhere(command)).redirectErrorStream(true);
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

    /// Measures the resident memory after load. The server is started on every CPU as a user starts
    /// it, so that the JVM chooses its usual collector and heap. VmRSS also counts mapped files,
    /// including the JDK's own.
    private SingleResult resident(Cell.Resident cell) {
        SingleResult.Measured what =
                new SingleResult.Measured(cell.name(), cell.title(), "MB", cell.gateMegabytes());
        return Contest.attempt(
                what,
                () -> {
                    try (RunningPeer server = subject.startAnywhere(stage)) {
                        for (String after : cell.after()) {
                            loads.warm(contest.work(after), server);
                        }
                        double peak = proc.statusBytes(server.pid(), "VmHWM") / 1e6;
                        double resident = proc.statusBytes(server.pid(), "VmRSS") / 1e6;
                        return SingleResult.of(
                                what,
                                List.of(resident),
                                String.format(
                                        Locale.ROOT,
                                        "VmRSS after warm-up rounds of %s; peak (VmHWM) %.0f MB",
                                        String.join(", ", cell.after()),
                                        peak));
                    }
                });
    }

    /// Measures the cost of idle connections by two figures:
    ///
    /// - The CPU time per request of other connections, with ÷ without the idle ones, in interleaved
    ///   rounds.
    /// - The heap and direct memory of one idle connection, as the difference of two readings after
    ///   full collections.
    ///
    /// Each figure has its own server process, since tracking native memory costs CPU time. The
    /// kernel's memory for a socket is not counted, because the server has no influence on it.
    private List<SingleResult> idle(Cell.Idle cell, Work beside) {
        SingleResult.Measured ratio =
                new SingleResult.Measured(
                        cell.name() + "-cpu",
                        cell.title() + ": CPU per request of others, with ÷ without",
                        "ratio",
                        cell.gateRatio());
        SingleResult.Measured memory =
                new SingleResult.Measured(
                        cell.name() + "-memory",
                        cell.title() + ": heap and direct memory of one",
                        "bytes",
                        cell.gateBytes());
        return List.of(
                Contest.attempt(ratio, () -> idleCpu(ratio, possible(cell), beside)),
                Contest.attempt(memory, () -> idleMemory(memory, possible(cell), beside)));
    }

    /// Returns how many connections are possible. Client and server each have their own
    /// descriptors, with the same limit.
    private int possible(Cell.Idle cell) throws IOException {
        return Math.min(cell.connections(), proc.descriptorsMax() - RESERVE);
    }

    private SingleResult idleCpu(SingleResult.Measured what, int count, Work beside)
            throws IOException {
        List<Round> with = new ArrayList<>();
        List<Round> without = new ArrayList<>();
        try (RunningPeer server = subject.start(stage)) {
            Client.Target target = new Client.Target(server.port(), beside.page());
            // Once before the measurement, so that the server's pools for connections have grown in
            // both cases.
            IdleConnections.open(target, count).close();
            loads.warm(beside, server);
            for (int number = 0; number < bench.settings().rounds(); number++) {
                without.addAll(loads.measured(beside, server));
                try (IdleConnections idle = IdleConnections.open(target, count)) {
                    bench.progress().printf("%s  %d idle connections%n", what.cell(), count);
                    with.addAll(loads.measured(beside, server));
                    idle.requireAll();
                }
            }
        }
        double beforeMicros = median(without);
        double besideMicros = median(with);
        List<Round> all = new ArrayList<>(without);
        all.addAll(with);
        String note =
                String.format(
                        Locale.ROOT,
                        "%d connections; %.2f µs per request without, %.2f with",
                        count,
                        beforeMicros,
                        besideMicros);
        return SingleResult.of(what, List.of(besideMicros / beforeMicros), note, all);
    }

    private double median(List<Round> rounds) {
        int wanted = bench.settings().rounds();
        return Figures.of(subject.name(), rounds, wanted, true).cpuMicros().median();
    }

    private SingleResult idleMemory(SingleResult.Measured what, int count, Work beside)
            throws IOException {
        ServalPeer tracked = subject.with(List.of("-XX:NativeMemoryTracking=summary"));
        try (RunningPeer server = tracked.start(stage)) {
            loads.warm(beside, server);
            JvmMemory before = JvmMemory.of(server.pid());
            long residentBefore = proc.statusBytes(server.pid(), "VmRSS");
            Client.Target target = new Client.Target(server.port(), beside.page());
            try (IdleConnections idle = IdleConnections.open(target, count)) {
                JvmMemory after = JvmMemory.of(server.pid());
                long residentAfter = proc.statusBytes(server.pid(), "VmRSS");
                idle.requireAll();
                double each = (double) (after.bytes() - before.bytes()) / count;
                String note =
                        String.format(
                                Locale.ROOT,
                                "%d connections, each %d bytes of heap and %d of direct memory"
                                        + " (jcmd, after a full collection); VmRSS grew by %d",
                                count,
                                (after.heapBytes() - before.heapBytes()) / count,
                                (after.directBytes() - before.directBytes()) / count,
                                (residentAfter - residentBefore) / count);
                return SingleResult.of(what, List.of(each), note);
            }
        }
    }
}
