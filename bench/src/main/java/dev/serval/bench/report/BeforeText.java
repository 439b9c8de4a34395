package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// The table that compares the subject with an earlier build. A column with two figures has the
/// subject's first.
final class BeforeText {
    static final String TITLE =
            "Subject ÷ before: CPU per request, 95 % interval; then figures of both";

    private final List<LoadResult> results;

    BeforeText(List<LoadResult> loads) {
        this.results = loads.stream().filter(load -> load.before() != null).toList();
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    Table table() {
        List<List<String>> rows = new ArrayList<>();
        for (LoadResult load : results) {
            BeforeResult before = load.before();
            if (before != null) {
                rows.add(
                        List.of(
                                load.cell(),
                                Double.isNaN(before.ratio()) ? "–" : ratio(before.ratio()),
                                Double.isNaN(before.ratio()) ? "–" : interval(before),
                                ratio(before.gate()) + " " + before.change().word(),
                                both(load, before, f -> f.cpuMicros().median(), "%.2f"),
                                both(load, before, f -> f.p99Micros() / 1e3, "%.2f"),
                                both(load, before, f -> f.requestsPerSecond() / 1e3, "%.1f")));
            }
        }
        return new Table(
                List.of("cell", "ratio", "interval", "gate", "µs/request", "p99 ms", "1,000/s"),
                rows);
    }

    private static String interval(BeforeResult before) {
        return ratio(before.low()) + "–" + ratio(before.high());
    }

    private static String ratio(double ratio) {
        return String.format(Locale.ROOT, "%.3f", ratio);
    }

    private static String both(
            LoadResult load, BeforeResult before, ToDoubleFunction<Figures> figure, String format) {
        return of(load, before.subject(), figure, format)
                + " · "
                + of(load, BeforeResult.PEER, figure, format);
    }

    private static String of(
            LoadResult load, String peer, ToDoubleFunction<Figures> figure, String format) {
        Optional<Figures> figures =
                load.figures().stream()
                        .filter(f -> f.peer().equals(peer) && f.failure() == null)
                        .findFirst();
        double value = figures.isPresent() ? figure.applyAsDouble(figures.get()) : Double.NaN;
        return Double.isNaN(value)
                ? "–"
                : (figures.get().disturbed() ? "~" : "")
                        + String.format(Locale.ROOT, format, value);
    }
}
