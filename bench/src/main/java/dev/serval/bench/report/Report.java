package dev.serval.bench.report;

import java.util.List;

/// All that one run of a scenario found.
///
/// @param scenario its name
/// @param title in words
/// @param environment where and with what
/// @param cells the results, in the order they were measured
/// @param notes what a reader must know: peers left out, figures that did not settle
public record Report(
        String scenario,
        String title,
        Environment environment,
        List<CellResult> cells,
        List<String> notes) {
    /// Whether no gate failed.
    public boolean passed() {
        return cells.stream().noneMatch(c -> c.verdict() == Verdict.FAIL);
    }
}
