package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Renders a report as text. The terminal and Markdown have the same tables.
public final class ReportText {
    private final Report report;
    private final List<LoadResult> loads;
    private final List<SingleResult> singles;
    private final BeforeText before;
    private final LatencyText latencies;
    private final OverloadText overloads;
    private final PeersText others;
    private final List<String> peers;

    public ReportText(Report report) {
        this.report = report;
        this.loads = results(LoadResult.class);
        this.singles = results(SingleResult.class);
        this.before = new BeforeText(loads);
        this.latencies = new LatencyText(results(LatencyResult.class));
        this.overloads = new OverloadText(results(OverloadResult.class));
        this.others = new PeersText(results(PeersResult.class));
        this.peers =
                loads.stream()
                        .flatMap(l -> l.figures().stream().map(Figures::peer))
                        .distinct()
                        .toList();
    }

    private <T> List<T> results(Class<T> kind) {
        return report.cells().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /// Returns the text for a terminal.
    public String text() {
        return render("", "", Table::text);
    }

    /// Returns a Markdown document.
    public String markdown() {
        return render("# ", "## ", Table::markdown);
    }

    private String render(String h1, String h2, Function<Table, String> table) {
        StringBuilder out = new StringBuilder();
        out.append(h1).append(report.title()).append(" (").append(report.scenario()).append(")\n");
        tables().forEach((title, rows) -> append(out, h2, title).append(table.apply(rows)));
        List<String> notes = notes();
        if (!notes.isEmpty()) {
            append(out, h2, "Notes");
            notes.forEach(note -> out.append("- ").append(note).append('\n'));
        }
        append(out, h2, "Measured on");
        environment().forEach(line -> out.append("- ").append(line).append('\n'));
        return out.toString();
    }

    private static StringBuilder append(StringBuilder out, String h2, String title) {
        return out.append('\n').append(h2).append(title).append("\n\n");
    }

    /// Returns the tables by their titles.
    private Map<String, Table> tables() {
        Map<String, Table> tables = new LinkedHashMap<>();
        if (!before.isEmpty()) {
            tables.put(BeforeText.TITLE, before.table());
        }
        // Without a third peer, the table before has all figures.
        if (!loads.isEmpty() && (before.isEmpty() || peers.size() > 2)) {
            tables.put(
                    "Server CPU per request, µs: median (min–max); ratio ÷ the reference (*)",
                    cpuTable());
            tables.put(
                    "Server CPU per request ÷ the reference (*)",
                    loadTable(ReportText::ratio, List.of()));
            tables.put(
                    "Thousand requests per second · MB per second · p99 in ms",
                    loadTable(
                            (_, f) -> throughput(f),
                            List.of(new Table.Column<>("bytes ratio", ReportText::bytesRatio))));
        }
        if (!latencies.isEmpty()) {
            tables.put(LatencyText.TITLE, latencies.table());
        }
        overloads.tables(tables);
        if (!others.isEmpty()) {
            tables.put(PeersText.TITLE, others.table());
        }
        if (!singles.isEmpty()) {
            tables.put("Cells of the subject only", singlesTable());
        }
        return tables;
    }

    private Table cpuTable() {
        return loadTable(
                (load, f) -> cpu(f, load.reference()),
                List.of(
                        new Table.Column<>("ratio", load -> Digits.hundredths(load.ratio())),
                        new Table.Column<>(
                                "gate", load -> limit(load.gate().ratio(), load.verdict())),
                        new Table.Column<>(
                                "aim", load -> limit(load.gate().aim(), load.aimVerdict())),
                        new Table.Column<>(
                                "÷ floor", load -> Digits.hundredths(load.floorRatio()))));
    }

    private static String limit(double limit, Verdict verdict) {
        return Digits.hundredths(limit) + " " + verdict.word();
    }

    /// Returns a table with a figure of each peer in each load cell.
    private Table loadTable(
            BiFunction<LoadResult, Figures, String> figure, List<Table.Column<LoadResult>> more) {
        List<Table.Column<LoadResult>> columns = new ArrayList<>();
        columns.add(new Table.Column<>("cell", LoadResult::cell));
        for (String peer : peers) {
            columns.add(new Table.Column<>(peer, load -> figure(load, peer, figure)));
        }
        columns.addAll(more);
        return Table.of(loads, columns);
    }

    private static String figure(
            LoadResult load, String peer, BiFunction<LoadResult, Figures, String> figure) {
        return load.of(peer)
                .map(f -> f.failure() != null ? "failed" : figure.apply(load, f))
                .orElse("–");
    }

    private static String ratio(LoadResult load, Figures of) {
        String reference = load.reference();
        return reference == null
                ? "–"
                : load.of(reference)
                        .map(f -> of.cpuMicros().median() / f.cpuMicros().median())
                        .map(Digits::hundredths)
                        .orElse("–");
    }

    private Table singlesTable() {
        return Table.of(
                singles,
                List.of(
                        new Table.Column<>("cell", SingleResult::cell),
                        new Table.Column<>(
                                "median (min–max)",
                                s ->
                                        s.failure() != null
                                                ? "failed"
                                                : Digits.range(s.statistics(), 3)),
                        new Table.Column<>("unit", SingleResult::unit),
                        new Table.Column<>("gate", ReportText::gate)));
    }

    private static String gate(SingleResult single) {
        return Double.isNaN(single.gate())
                ? "–"
                : "< " + Digits.brief(single.gate(), 3) + " " + single.verdict().word();
    }

    private static String cpu(Figures f, @Nullable String reference) {
        Statistics s = f.cpuMicros();
        String marks = (f.peer().equals(reference) ? "*" : "") + (f.disturbed() ? "~" : "");
        return String.format(
                Locale.ROOT, "%s%.2f (%.2f–%.2f)", marks, s.median(), s.min(), s.max());
    }

    private static String throughput(Figures f) {
        return Digits.of(f.requestsPerSecond() / 1e3, 1)
                + " · "
                + Digits.of(f.bytesPerSecond() / 1e6, 0)
                + " · "
                + Digits.hundredths(f.p99Micros() / 1e3);
    }

    private static String bytesRatio(LoadResult load) {
        double least = load.gate().bytesPerSecond();
        if (Double.isNaN(load.bytesRatio()) || least == 0) {
            return Digits.hundredths(load.bytesRatio());
        }
        Verdict kept = load.bytesRatio() >= least ? Verdict.PASS : Verdict.FAIL;
        return String.format(
                Locale.ROOT, "%.2f (≥ %.2f %s)", load.bytesRatio(), least, kept.word());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(report.notes());
        for (LoadResult load : loads) {
            for (Figures f : load.figures()) {
                if (f.failure() != null) {
                    notes.add(load.cell() + ", " + f.peer() + ": failed, " + f.failure());
                }
            }
            peersNote(load, Figures::disturbed, "too few quiet rounds, so disturbed ones count (~)")
                    .ifPresent(notes::add);
            peersNote(load, f -> !f.settled(), "figures had not settled when the warm-up ended")
                    .ifPresent(notes::add);
        }
        notes.addAll(latencies.notes());
        notes.addAll(overloads.notes());
        notes.addAll(others.notes());
        for (SingleResult single : singles) {
            String note = single.failure() != null ? "failed, " + single.failure() : single.note();
            if (!note.isEmpty()) {
                notes.add(single.cell() + ": " + note);
            }
        }
        return notes;
    }

    private static Optional<String> peersNote(
            LoadResult load, Predicate<Figures> when, String what) {
        String peers =
                load.figures().stream()
                        .filter(f -> f.failure() == null)
                        .filter(when)
                        .map(Figures::peer)
                        .collect(Collectors.joining(", "));
        return peers.isEmpty()
                ? Optional.empty()
                : Optional.of(load.cell() + ", " + peers + ": " + what);
    }

    private List<String> environment() {
        Environment e = report.environment();
        List<String> lines = new ArrayList<>();
        lines.add(e.date() + ", commit " + e.commit());
        lines.add(e.cpuModel() + ", " + e.cpus() + ", " + e.memoryMegabytes() + " MB");
        lines.add("Linux " + e.kernel() + ", JDK " + e.jdk());
        lines.add(joined(e.versions()));
        lines.add(joined(e.settings()));
        report.cells().forEach(c -> lines.add(c.cell() + ": " + c.title()));
        return lines;
    }

    private static String joined(Map<String, String> facts) {
        return String.join(
                "; ", facts.entrySet().stream().map(f -> f.getKey() + " " + f.getValue()).toList());
    }
}
