package dev.serval.bench.page;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Digits;
import dev.serval.bench.report.Published;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The table of figures of old papers beside today's. Each figure has a line for each peer that has
/// the same measure in the same cell.
final class PublishedText {
    static final String TITLE = "The paper's figures beside today's";

    /// A figure of a paper and one of today.
    ///
    /// @param peer today's server, or empty if there is no figure to compare
    private record Beside(String cell, Published old, String peer, double today) {}

    private final List<Beside> lines = new ArrayList<>();

    PublishedText(List<CellResult> cells) {
        for (CellResult cell : cells) {
            cell.published().forEach(old -> add(cell, old));
        }
    }

    private void add(CellResult cell, Published old) {
        int before = lines.size();
        for (Row row : cell.rows()) {
            if (row.measure().equals(old.measure()) && row.unit().equals(old.unit())) {
                row.values()
                        .forEach((peer, today) ->
                                lines.add(new Beside(row.cell(), old, peer, today.median())));
            }
        }
        if (lines.size() == before) {
            lines.add(new Beside(cell.cell(), old, "", Double.NaN));
        }
    }

    Table table() {
        return Table.of(lines)
                .text("cell", Beside::cell)
                .text("measure", b -> b.old.measure())
                .text("in the paper", b -> b.old.where())
                .text("server then", b -> b.old.server())
                .brief("then", b -> b.old.value(), 2)
                .text("server today", b -> b.peer.isEmpty() ? "–" : b.peer)
                .brief("today", Beside::today, 2)
                .text("unit", b -> b.old.unit())
                .text("today ÷ then", b -> ratio(b.today / b.old.value()))
                .table();
    }

    private static String ratio(double ratio) {
        if (Double.isNaN(ratio) || Double.isInfinite(ratio)) {
            return "–";
        }
        return ratio >= 0.01 ? Digits.brief(ratio, 2) : String.format(Locale.ROOT, "%.1e", ratio);
    }
}
