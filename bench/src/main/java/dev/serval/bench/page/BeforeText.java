package dev.serval.bench.page;

import dev.serval.bench.report.BeforeResult;
import dev.serval.bench.report.Digits;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.Table;
import dev.serval.bench.report.Words;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/// The table that compares the subject with an earlier build. A column with two figures has the
/// subject's first.
final class BeforeText {
    static final String TITLE =
            "Subject ÷ before: CPU per request, 95 % interval; then figures of both";

    private final List<Compared> results;

    /// A load and its comparison.
    private record Compared(LoadResult load, BeforeResult before) {}

    BeforeText(List<LoadResult> loads) {
        this.results =
                loads.stream()
                        .flatMap(load ->
                                Optional.ofNullable(load.before())
                                        .map(before -> new Compared(load, before))
                                        .stream())
                        .toList();
    }

    boolean isEmpty() {
        return results.isEmpty();
    }

    Table table() {
        return Table.of(results)
                .text("cell", c -> c.load.cell())
                .figure("ratio", c -> c.before.ratio(), 3)
                .text("interval", c -> interval(c.before))
                .text("gate", c -> gate(c.before))
                .text("µs/request", c -> both(c, f -> f.cpuMicros().median(), 2))
                .text("p99 ms", c -> both(c, f -> f.p99Micros() / 1e3, 2))
                .text("1,000/s", c -> both(c, f -> f.requestsPerSecond() / 1e3, 1))
                .table();
    }

    private static String interval(BeforeResult before) {
        return Double.isNaN(before.ratio())
                ? "–"
                : Digits.of(before.low(), 3) + "–" + Digits.of(before.high(), 3);
    }

    private static String gate(BeforeResult before) {
        return Digits.of(before.gate(), 3) + " " + Words.of(before.change());
    }

    private static String both(Compared of, ToDoubleFunction<Figures> figure, int decimals) {
        return one(of.load, of.before.subject(), figure, decimals)
                + " · "
                + one(of.load, BeforeResult.PEER, figure, decimals);
    }

    private static String one(
            LoadResult load, String peer, ToDoubleFunction<Figures> figure, int decimals) {
        return load.of(peer)
                .filter(f -> f.failure() == null && !Double.isNaN(figure.applyAsDouble(f)))
                .map(f -> (f.disturbed() ? "~" : "") + Digits.of(figure.applyAsDouble(f), decimals))
                .orElse("–");
    }
}
