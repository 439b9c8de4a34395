package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;

/// The result of one cell.
public sealed interface CellResult
        permits LoadResult, SingleResult, LatencyResult, PeersResult, OverloadResult {
    /// Returns the cell's name.
    String cell();

    /// Returns what the cell measures, as text.
    String title();

    /// Returns whether the gate passed, or [Verdict#NONE] if there was nothing to compare.
    @JsonProperty("verdict")
    Verdict verdict();
}
