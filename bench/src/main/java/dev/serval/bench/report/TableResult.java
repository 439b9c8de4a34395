package dev.serval.bench.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.LinkedHashMap;
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
        implements CellResult {
    /// Counts the heap of a session in the same way in old and new results.
    public TableResult {
        List<Row> counted = SessionHeap.counted(rows, charts);
        rows = counted;
        Map<String, Table> changed = new LinkedHashMap<>(tables);
        changed.replaceAll((_, table) -> SessionHeap.counted(table, counted));
        tables = changed;
        remarks = SessionHeap.noted(cell, rows, remarks);
    }
}
