package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/// The result of a cell whose run has made its rows, charts and tables. Tables of one title are one
/// table in the report.
///
/// @param verdict of the gate, or whether the subject failed
/// @param remarks how it was measured
public record TableResult(
        String cell,
        String title,
        @JsonProperty("verdict") Verdict verdict,
        @JsonProperty("rows") List<Row> rows,
        @JsonProperty("charts") List<Chart> charts,
        @JsonProperty("tables") Map<String, Table> tables,
        @JsonProperty("published") List<Published> published,
        @JsonProperty("gaps") List<Gap> gaps,
        @JsonProperty("remarks") List<String> remarks)
        implements CellResult {}
