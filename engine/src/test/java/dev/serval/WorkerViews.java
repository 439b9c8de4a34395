package dev.serval;

import dev.serval.worker.LoopWorkers;
import java.util.List;

/// Shows tests of other packages what the Workers of a loop do.
public final class WorkerViews {
    private WorkerViews() {}

    /// Returns what each Worker does now, on its loop.
    public static List<WorkerView> of(LoopWorkers workers) {
        return WorkerView.all(workers.all(), workers.loop());
    }
}
