package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;

/// What one cell found.
public sealed interface CellResult permits LoadResult, SingleResult, LatencyResult {
    /// The cell's name.
    String cell();

    /// What it measures, in words.
    String title();

    /// Whether the gate is kept; [Verdict#NONE] where nothing could be compared.
    @JsonProperty("verdict")
    Verdict verdict();
}
