package dev.serval.bench.scenario;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.report.Published;
import java.util.List;

/// Sends a number of requests on one connection without waiting for answers. The results are the
/// elapsed time, the CPU time, and what the JIT compiler and the collector did meanwhile.
///
/// @param file the requested file, or the name of a plain request of the scenario
/// @param requests of a run
/// @param heapMegabytes the heap of each server in Java
/// @param published figures of a paper for a million requests
public record PipelinedCell(
        String name,
        String title,
        List<String> peers,
        String file,
        int requests,
        int heapMegabytes,
        List<Published> published)
        implements Cell.OfServers {
    private static final int QUICK_SHARE = 10;

    /// Rejects a load that cannot be made.
    public PipelinedCell {
        BenchFailure.require(
                requests >= QUICK_SHARE && heapMegabytes > 0,
                name + ": counts must be positive, with 10 requests");
    }

    /// Returns the requests of a run: a tenth in a quick run, whose rounds last a second.
    public int requests(Settings settings) {
        return settings.seconds() < Settings.SHORT.seconds() ? requests / QUICK_SHARE : requests;
    }
}
