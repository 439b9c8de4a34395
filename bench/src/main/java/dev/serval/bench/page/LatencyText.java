package dev.serval.bench.page;

import dev.serval.bench.report.Digits;
import dev.serval.bench.report.LatencyResult;
import dev.serval.bench.report.Table;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The table of latencies and its notes.
record LatencyText(List<LatencyResult> results) {
    static final String TITLE =
            "Latency of static files beside application code, ms: p50 / p99 / max";

    /// A row of a cell, with its name.
    private record Named(String name, LatencyResult.Step row) {}

    boolean isEmpty() {
        return results.isEmpty();
    }

    private List<Named> rows() {
        return results.stream()
                .flatMap(result ->
                        result.steps().stream()
                                .map(row -> new Named(result.cell() + " × " + row.hogs(), row)))
                .toList();
    }

    Table table() {
        return Table.of(
                rows(),
                List.of(
                        new Table.Column<>("cell × clients", Named::name),
                        new Table.Column<>("no preemption", n -> measured(n.row.without())),
                        new Table.Column<>("preemption", n -> measured(n.row.with())),
                        new Table.Column<>(
                                "prototype, no preemption", n -> millis(published(n.row, false))),
                        new Table.Column<>(
                                "prototype, preemption", n -> millis(published(n.row, true)))));
    }

    private static LatencyResult.@Nullable Millis published(LatencyResult.Step row, boolean with) {
        LatencyResult.Published prototype = row.prototype();
        if (prototype == null) {
            return null;
        }
        return with ? prototype.with() : prototype.without();
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        List<String> disturbed = new ArrayList<>();
        for (Named named : rows()) {
            givenUp(named.name + " without preemption", named.row.without(), notes);
            givenUp(named.name, named.row.with(), notes);
            if (named.row.without().disturbed() || named.row.with().disturbed()) {
                disturbed.add(named.name);
            }
        }
        if (!disturbed.isEmpty()) {
            notes.add(
                    "other processes took too much CPU time (~): " + String.join(", ", disturbed));
        }
        return notes;
    }

    private static void givenUp(String name, LatencyResult.Measured of, List<String> notes) {
        if (of.unanswered() > 0) {
            notes.add(
                    "%s: %d of %d requests timed out; they count with the time they had waited"
                            .formatted(name, of.unanswered(), of.requests()));
        }
    }

    private static String measured(LatencyResult.Measured of) {
        return (of.disturbed() ? "~" : "") + millis(of.millis());
    }

    private static String millis(LatencyResult.@Nullable Millis of) {
        return of == null
                ? "–"
                : brief(of.p50()) + " / " + brief(of.p99()) + " / " + brief(of.max());
    }

    private static String brief(double millis) {
        return Digits.of(millis, millis < 10 ? 1 : 0);
    }
}
