package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The table of latencies and its notes.
final class LatencyText {
    static final String TITLE =
            "Latency of static files beside application code, ms: p50 / p99 / max";

    private final List<LatencyResult> results;

    LatencyText(List<LatencyResult> results) {
        this.results = results;
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    Table table() {
        List<List<String>> rows = new ArrayList<>();
        for (LatencyResult result : results) {
            for (LatencyResult.Row row : result.rows()) {
                LatencyResult.@Nullable Published prototype = row.prototype();
                rows.add(
                        List.of(
                                result.cell() + " × " + row.hogs(),
                                measured(row.without()),
                                measured(row.with()),
                                millis(prototype == null ? null : prototype.without()),
                                millis(prototype == null ? null : prototype.with())));
            }
        }
        return new Table(
                List.of(
                        "cell × clients",
                        "no preemption",
                        "preemption",
                        "prototype, no preemption",
                        "prototype, preemption"),
                rows);
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        List<String> disturbed = new ArrayList<>();
        for (LatencyResult result : results) {
            if (result.failure() != null) {
                notes.add(result.cell() + ": failed, " + result.failure());
            }
            for (LatencyResult.Row row : result.rows()) {
                String name = result.cell() + " × " + row.hogs();
                givenUp(name + " without preemption", row.without(), notes);
                givenUp(name, row.with(), notes);
                if (row.without().disturbed() || row.with().disturbed()) {
                    disturbed.add(name);
                }
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
                    String.format(
                            Locale.ROOT,
                            "%s: %d of %d requests timed out; they count with the time they had"
                                    + " waited",
                            name,
                            of.unanswered(),
                            of.requests()));
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
        return String.format(Locale.ROOT, millis < 10 ? "%.1f" : "%.0f", millis);
    }
}
