package dev.serval.bench.load;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Proc;
import dev.serval.bench.peer.RunningPeer;
import dev.serval.bench.peer.ServalPeer;
import dev.serval.bench.peer.Stage;
import dev.serval.bench.report.SingleResult;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/// Measures the subject's resident memory after load. It is started on every CPU as a user starts
/// it, so that the JVM chooses its usual collector and heap. VmRSS also counts mapped files,
/// including the JDK's own.
final class ResidentRun {
    private final ServalPeer subject;
    private final Stage stage;
    private final Proc proc;
    private final LoadRun loads;

    ResidentRun(ServalPeer subject, Stage stage, Proc proc, LoadRun loads) {
        this.subject = subject;
        this.stage = stage;
        this.proc = proc;
        this.loads = loads;
    }

    SingleResult run(Cell.Resident cell, List<Work> after) {
        SingleResult.Measured what =
                new SingleResult.Measured(cell.name(), cell.title(), "MB", cell.gateMegabytes());
        try (RunningPeer server = subject.startAnywhere(stage)) {
            for (Work work : after) {
                loads.warm(work, server);
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
        } catch (IOException | BenchFailure e) {
            return SingleResult.failed(what, String.valueOf(e.getMessage()));
        }
    }
}
