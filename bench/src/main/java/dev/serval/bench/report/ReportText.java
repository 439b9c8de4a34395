package dev.serval.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
    private final PeersText others;
    private final List<String> peers;

    public ReportText(Report report) {
        this.report = report;
        this.loads = results(LoadResult.class);
        this.singles = results(SingleResult.class);
        this.before = new BeforeText(loads);
        this.latencies = new LatencyText(results(LatencyResult.class));
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
        if (!before.isEmpty()) {
            out.append('\n').append(h2).append(BeforeText.TITLE).append("\n\n");
            out.append(table.apply(before.table()));
        }
        // Without a third peer, the table before has all figures.
        if (!loads.isEmpty() && (before.isEmpty() || peers.size() > 2)) {
            out.append('\n').append(h2);
            out.append(
                    "Server CPU per request, µs: median (min–max); ratio ÷ the reference (*)\n\n");
            out.append(table.apply(cpuTable()));
            out.append('\n').append(h2).append("Server CPU per request ÷ the reference (*)\n\n");
            out.append(table.apply(ratioTable()));
            out.append('\n')
                    .append(h2)
                    .append("Thousand requests per second · MB per second · p99 in ms\n\n");
            out.append(table.apply(throughputTable()));
        }
        if (!latencies.isEmpty()) {
            out.append('\n').append(h2).append(LatencyText.TITLE).append("\n\n");
            out.append(table.apply(latencies.table()));
        }
        if (!others.isEmpty()) {
            out.append('\n').append(h2).append(PeersText.TITLE).append("\n\n");
            out.append(table.apply(others.table()));
        }
        if (!singles.isEmpty()) {
            out.append('\n').append(h2).append("Cells of the subject only\n\n");
            out.append(table.apply(singlesTable()));
        }
        List<String> notes = notes();
        if (!notes.isEmpty()) {
            out.append('\n').append(h2).append("Notes\n\n");
            notes.forEach(note -> out.append("- ").append(note).append('\n'));
        }
        out.append('\n').append(h2).append("Measured on\n\n");
        environment().forEach(line -> out.append("- ").append(line).append('\n'));
        return out.toString();
    }

    private Table cpuTable() {
        List<String> header = new ArrayList<>(List.of("cell"));
        header.addAll(peers);
        header.addAll(List.of("ratio", "gate", "aim", "÷ floor"));
        List<List<String>> rows = new ArrayList<>();
        for (LoadResult load : loads) {
            List<String> row = row(load, f -> cpu(f, load.reference()));
            boolean none = Double.isNaN(load.ratio());
            row.add(none ? "–" : hundredths(load.ratio()));
            row.add(hundredths(load.gate().ratio()) + " " + load.verdict().word());
            row.add(hundredths(load.gate().aim()) + " " + load.aimVerdict().word());
            row.add(Double.isNaN(load.floorRatio()) ? "–" : hundredths(load.floorRatio()));
            rows.add(row);
        }
        return new Table(header, rows);
    }

    private Table ratioTable() {
        List<String> header = new ArrayList<>(List.of("cell"));
        header.addAll(peers);
        List<List<String>> rows = new ArrayList<>();
        for (LoadResult load : loads) {
            rows.add(row(load, f -> ratio(load, f)));
        }
        return new Table(header, rows);
    }

    private Table throughputTable() {
        List<String> header = new ArrayList<>(List.of("cell"));
        header.addAll(peers);
        header.add("bytes ratio");
        List<List<String>> rows = new ArrayList<>();
        for (LoadResult load : loads) {
            List<String> row = row(load, ReportText::throughput);
            row.add(bytesRatio(load));
            rows.add(row);
        }
        return new Table(header, rows);
    }

    /// Returns a row with the cell's name and a figure of each peer.
    private List<String> row(LoadResult load, Function<Figures, String> show) {
        List<String> row = new ArrayList<>(List.of(load.cell()));
        for (String peer : peers) {
            row.add(figure(load, peer, show));
        }
        return row;
    }

    private static String ratio(LoadResult load, Figures of) {
        return load.figures().stream()
                .filter(f -> f.peer().equals(load.reference()))
                .findFirst()
                .map(f -> hundredths(of.cpuMicros().median() / f.cpuMicros().median()))
                .orElse("–");
    }

    private Table singlesTable() {
        List<List<String>> rows = new ArrayList<>();
        for (SingleResult single : singles) {
            Statistics s = single.statistics();
            String value =
                    single.failure() != null
                            ? "failed"
                            : String.format(
                                    Locale.ROOT,
                                    "%s (%s–%s)",
                                    plain(s.median()),
                                    plain(s.min()),
                                    plain(s.max()));
            rows.add(
                    List.of(
                            single.cell(),
                            value,
                            single.unit(),
                            Double.isNaN(single.gate())
                                    ? "–"
                                    : "< " + plain(single.gate()) + " " + single.verdict().word()));
        }
        return new Table(List.of("cell", "median (min–max)", "unit", "gate"), rows);
    }

    private static String figure(LoadResult load, String peer, Function<Figures, String> show) {
        return load.figures().stream()
                .filter(f -> f.peer().equals(peer))
                .findFirst()
                .map(f -> f.failure() != null ? "failed" : show.apply(f))
                .orElse("–");
    }

    private static String cpu(Figures f, @Nullable String reference) {
        Statistics s = f.cpuMicros();
        String marks = (f.peer().equals(reference) ? "*" : "") + (f.disturbed() ? "~" : "");
        return String.format(
                Locale.ROOT, "%s%.2f (%.2f–%.2f)", marks, s.median(), s.min(), s.max());
    }

    private static String throughput(Figures f) {
        String p99 =
                Double.isNaN(f.p99Micros())
                        ? "–"
                        : String.format(Locale.ROOT, "%.2f", f.p99Micros() / 1e3);
        return String.format(
                Locale.ROOT,
                "%.1f · %.0f · %s",
                f.requestsPerSecond() / 1e3,
                f.bytesPerSecond() / 1e6,
                p99);
    }

    private static String bytesRatio(LoadResult load) {
        if (Double.isNaN(load.bytesRatio())) {
            return "–";
        }
        double least = load.gate().bytesPerSecond();
        if (least == 0) {
            return hundredths(load.bytesRatio());
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

    /// Formats a value with three digits, which is enough for all measurements here.
    private static String plain(double value) {
        if (value >= 100) {
            return whole(value);
        }
        return value >= 10 ? String.format(Locale.ROOT, "%.1f", value) : thousandths(value);
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String thousandths(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
