package dev.serval.bench.report;

import java.util.List;

/// The results of one run of a scenario.
///
/// @param notes what a reader must know, such as missing peers and figures that did not settle
public record Report(
        String scenario,
        String title,
        Environment environment,
        List<CellResult> cells,
        List<String> notes) {
    /// Returns whether no gate failed.
    public boolean passed() {
        return cells.stream().noneMatch(c -> c.verdict() == Verdict.FAIL);
    }
}
