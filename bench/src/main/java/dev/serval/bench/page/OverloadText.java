package dev.serval.bench.page;

import dev.serval.bench.report.Digits;
import dev.serval.bench.report.OverloadResult;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The tables of servers under overload, one for each cell, and their notes.
final class OverloadText {
    private final List<OverloadResult> results;

    OverloadText(List<OverloadResult> results) {
        this.results = results;
    }

    /// A row of a cell.
    private record Row(
            OverloadResult cell, OverloadResult.Server server, OverloadResult.Step step) {}

    /// Adds the tables by their titles.
    void tables(Map<String, Table> tables) {
        for (OverloadResult result : results) {
            List<Row> rows = rows(result);
            if (!rows.isEmpty()) {
                tables.put("Overload, " + result.cell() + ": " + result.title(), table(rows));
            }
        }
    }

    private static List<Row> rows(OverloadResult result) {
        List<Row> rows = new ArrayList<>();
        for (OverloadResult.Server server : result.servers()) {
            server.steps().forEach(step -> rows.add(new Row(result, server, step)));
        }
        return rows;
    }

    private static Table table(List<Row> rows) {
        List<Table.Column<Row>> columns = new ArrayList<>();
        columns.add(
                new Table.Column<>(
                        "server × capacity",
                        row -> (row.step.disturbed() ? "~" : "") + name(row.server, row.step)));
        columns.add(new Table.Column<>("offered/s", row -> Digits.of(row.step.offered(), 0)));
        columns.add(new Table.Column<>("goodput/s", row -> Digits.of(row.step.goodput(), 0)));
        columns.add(new Table.Column<>("÷ peak", row -> Digits.hundredths(ofPeak(row))));
        columns.add(new Table.Column<>("p99 ms", row -> Digits.brief(row.step.p99Millis(), 1)));
        for (String end : rows.getFirst().step.ends().keySet()) {
            columns.add(
                    new Table.Column<>(
                            end, row -> String.valueOf(row.step.ends().getOrDefault(end, 0L))));
        }
        columns.add(
                new Table.Column<>(
                        "refused p99 ms", row -> Digits.brief(row.step.refusedP99Millis(), 1)));
        columns.add(new Table.Column<>("late %", row -> Digits.of(row.step.lateShare() * 100, 1)));
        columns.add(
                new Table.Column<>("recovery s", row -> Digits.of(row.step.recoverySeconds(), 2)));
        columns.add(
                new Table.Column<>("gate", row -> row.cell.verdict(row.server, row.step).word()));
        return Table.of(rows, columns);
    }

    private static String name(OverloadResult.Server server, OverloadResult.Step step) {
        boolean whole = step.multiple() == Math.rint(step.multiple());
        return server.peer() + " × " + Digits.of(step.multiple(), whole ? 0 : 1);
    }

    private static double ofPeak(Row row) {
        return row.step.goodput() / row.server.peak();
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (OverloadResult result : results) {
            for (OverloadResult.Server server : result.servers()) {
                String cell = result.cell() + ", ";
                for (OverloadResult.Step step : server.steps()) {
                    if (step.ofTheGenerator()) {
                        notes.add(
                                cell
                                        + name(server, step)
                                        + ": the generator was at its end, so the figures are not"
                                        + " those of the server");
                    }
                }
            }
            notes.add(
                    "%s: beyond the capacity at least %.2f of the peak, and as before after %.1f s"
                            .formatted(result.cell(), result.goodputGate(), result.recoveryGate()));
            result.notes().forEach(note -> notes.add(result.cell() + ": " + note));
        }
        return notes;
    }
}
