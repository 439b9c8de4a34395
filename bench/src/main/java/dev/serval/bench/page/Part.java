package dev.serval.bench.page;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Report;
import java.util.Comparator;
import java.util.List;

/// What is kept of a run that has not ended.
///
/// @param head the report without cells
/// @param kept the cells that are done, in the order of their measurement
public record Part(Report head, List<Kept> kept) {
    /// A cell that is done. It may have several results, or none.
    ///
    /// @param seconds how long it took
    public record Kept(String cell, double seconds, List<CellResult> results) {}

    /// Returns the report of the cells so far, in the order of these names.
    public Report report(List<String> order) {
        return head.with(
                kept.stream()
                        .sorted(Comparator.comparingInt(one -> order.indexOf(one.cell())))
                        .flatMap(one -> one.results().stream())
                        .toList());
    }
}
