package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.JvmMemory;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.SingleResult;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Measures what idle connections cost the subject, with two figures:
///
/// - The CPU time per request of other connections, with ÷ without the idle ones, in interleaved
///   rounds.
/// - The heap and direct memory of one idle connection, as the difference of two readings after
///   full collections.
///
/// Each figure has its own server process, since tracking native memory costs CPU time. The
/// kernel's memory for a socket is not counted, because the server has no influence on it.
final class IdleRun {
    /// Descriptors that are needed beside those of the idle connections.
    private static final int RESERVE = 1000;

    private final ServalPeer subject;
    private final Stage stage;
    private final Proc proc;
    private final LoadRun loads;
    private final Settings settings;
    private final PrintStream progress;

    IdleRun(ServalPeer subject, Bench bench, LoadRun loads) {
        this.subject = subject;
        this.stage = bench.stage();
        this.proc = bench.proc();
        this.settings = bench.settings();
        this.progress = bench.progress();
        this.loads = loads;
    }

    List<SingleResult> run(Cell.Idle cell, Work beside) {
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
        try {
            int count = possible(cell.connections());
            return List.of(cpu(ratio, count, beside), memory(memory, count, beside));
        } catch (IOException | BenchFailure e) {
            String failure = String.valueOf(e.getMessage());
            return List.of(
                    SingleResult.failed(ratio, failure), SingleResult.failed(memory, failure));
        }
    }

    /// Returns how many connections are possible. Client and server each have their own
    /// descriptors, with the same limit.
    private int possible(int wanted) throws IOException {
        return Math.min(wanted, proc.descriptorsMax() - RESERVE);
    }

    private SingleResult cpu(SingleResult.Measured what, int count, Work beside)
            throws IOException {
        List<Round> with = new ArrayList<>();
        List<Round> without = new ArrayList<>();
        try (RunningPeer server = subject.start(stage)) {
            Client.Target target = new Client.Target(server.port(), beside.page());
            // Once before the measurement, so that the server's pools for connections have grown in
            // both cases.
            IdleConnections.open(target, count).close();
            loads.warm(beside, server);
            for (int number = 0; number < settings.rounds(); number++) {
                without.addAll(loads.measured(beside, server));
                try (IdleConnections idle = IdleConnections.open(target, count)) {
                    progress.printf("%s  %d idle connections%n", what.cell(), count);
                    with.addAll(loads.measured(beside, server));
                    requireAll(idle, count);
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
        return Figures.of(subject.name(), rounds, settings.rounds(), true).cpuMicros().median();
    }

    private SingleResult memory(SingleResult.Measured what, int count, Work beside)
            throws IOException {
        ServalPeer tracked = subject.with("-XX:NativeMemoryTracking=summary");
        try (RunningPeer server = tracked.start(stage)) {
            loads.warm(beside, server);
            JvmMemory before = JvmMemory.of(server.pid());
            long residentBefore = proc.statusBytes(server.pid(), "VmRSS");
            Client.Target target = new Client.Target(server.port(), beside.page());
            try (IdleConnections idle = IdleConnections.open(target, count)) {
                JvmMemory after = JvmMemory.of(server.pid());
                long residentAfter = proc.statusBytes(server.pid(), "VmRSS");
                requireAll(idle, count);
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

    private static void requireAll(IdleConnections idle, int count) throws IOException {
        int open = idle.stillOpen();
        if (open < count) {
            throw new BenchFailure((count - open) + " idle connections were closed");
        }
    }
}
