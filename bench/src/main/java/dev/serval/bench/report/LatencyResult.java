package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// How long static files took beside application code that keeps its thread, with loops that are
/// preempted and without.
///
/// @param cell the cell's name
/// @param title in words
/// @param rows one for each number of clients that ask for such code
/// @param failure why the rows are not whole; null where they are
public record LatencyResult(String cell, String title, List<Row> rows, @Nullable String failure)
        implements CellResult {
    /// Percentiles of some latencies, in milliseconds.
    public record Millis(double p50, double p99, double max) {}

    /// What was measured of one server.
    ///
    /// @param millis latencies of static files
    /// @param requests for them
    /// @param unanswered those that were given up; they count with what they had waited
    /// @param hogRequests answered meanwhile
    /// @param preemptions of the loop meanwhile
    /// @param disturbed whether others took too much of the CPUs
    public record Measured(
            Millis millis,
            long requests,
            long unanswered,
            long hogRequests,
            long preemptions,
            boolean disturbed) {}

    /// One number of clients.
    ///
    /// @param hogs that many
    /// @param without a server that never preemptions a loop
    /// @param with one that does, as by default
    /// @param prototype what was measured before the server was built; null where nothing was
    public record Row(int hogs, Measured without, Measured with, @Nullable Published prototype) {}

    /// What was published of the prototype.
    ///
    /// @param hogs clients
    /// @param without preempt; null where it was not measured
    /// @param with preempt and learning, likewise
    public record Published(int hogs, @Nullable Millis without, @Nullable Millis with) {}

    /// These figures have no gate.
    @Override
    @JsonProperty("verdict")
    public Verdict verdict() {
        return failure == null ? Verdict.NONE : Verdict.FAIL;
    }
}
