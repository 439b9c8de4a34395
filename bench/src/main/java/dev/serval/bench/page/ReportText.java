package dev.serval.bench.page;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Digits;
import dev.serval.bench.report.Environment;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.PeerFacts;
import dev.serval.bench.report.PeersResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.Table;
import dev.serval.bench.report.Verdict;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Renders a report as text. The terminal and Markdown have the same tables.
public final class ReportText {
    private final Report report;
    private final List<Gap> gaps;
    private final List<LoadResult> loads;
    private final List<SingleResult> singles;
    private final BeforeText before;
    private final PeersText others;
    private final PublishedText published;
    private final List<String> absent;
    private final List<String> peers;

    public ReportText(Report report) {
        this(report, List.of());
    }

    /// @param more gaps than the report has itself
    ReportText(Report report, List<Gap> more) {
        this.report = report;
        this.gaps = Stream.concat(report.gaps().stream(), more.stream()).toList();
        this.loads = results(LoadResult.class);
        this.singles = results(SingleResult.class);
        this.before = new BeforeText(loads);
        this.others = new PeersText(results(PeersResult.class));
        this.published = new PublishedText(report.cells());
        this.absent =
                report.peers().stream()
                        .filter(peer -> !peer.missing().isEmpty())
                        .map(PeerFacts::name)
                        .toList();
        this.peers =
                Stream.concat(
                                loads.stream()
                                        .flatMap(l -> l.figures().stream().map(Figures::peer)),
                                absent.stream())
                        .distinct()
                        .toList();
    }

    private <T> List<T> results(Class<T> kind) {
        return report.cells().stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /// Returns a Markdown section of a longer document.
    public String section() {
        return render("## ", "### ", Table::markdown);
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
        introduction().forEach(line -> out.append('\n').append(line).append('\n'));
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

    /// Returns what the scenario repeats, and how its clients decide when to send.
    public List<String> introduction() {
        List<String> lines = new ArrayList<>();
        if (!report.paper().isEmpty()) {
            lines.add(report.paper());
        }
        model(CellResult.Model.CLOSED, "Closed load (a client waits for its answer)")
                .ifPresent(lines::add);
        model(CellResult.Model.OPEN, "Open load (requests are sent at planned instants)")
                .ifPresent(lines::add);
        return lines;
    }

    private Optional<String> model(CellResult.Model model, String title) {
        String cells =
                report.cells().stream()
                        .filter(cell -> cell.model() == model)
                        .map(CellResult::cell)
                        .collect(Collectors.joining(", "));
        return cells.isEmpty() ? Optional.empty() : Optional.of(title + ": " + cells + ".");
    }

    private static StringBuilder append(StringBuilder out, String h2, String title) {
        return out.append('\n').append(h2).append(title).append("\n\n");
    }

    /// Returns the tables by their titles, in their order.
    public Map<String, Table> tables() {
        Map<String, Table> tables = new LinkedHashMap<>();
        put(tables, BeforeText.TITLE, before.table());
        // Without a third peer, the table before has all figures.
        if (!loads.isEmpty() && (before.isEmpty() || peers.size() > 2)) {
            tables.put(
                    "Server CPU per request, µs: median (min–max); ratio ÷ the reference (*)",
                    cpuTable());
            tables.put(
                    "Server CPU per request ÷ the reference (*)",
                    loadTable(ReportText::ratio).table());
            boolean client = loads.stream().anyMatch(load -> !load.clientMicros().isEmpty());
            tables.put(
                    "Thousand requests per second · MB per second · p99 in ms"
                            + (client ? " · CPU of the client per request in µs" : ""),
                    loadTable((load, f) -> throughput(f) + (client ? client(load, f) : ""))
                            .text("bytes ratio", ReportText::bytesRatio)
                            .table());
        }
        put(tables, PeersText.TITLE, others.table());
        report.cells()
                .forEach(c -> c.tables().forEach((t, own) -> tables.merge(t, own, Table::plus)));
        put(tables, "Cells of the subject only", singlesTable());
        put(tables, PublishedText.TITLE, published.table());
        put(tables, "Failed or not measured", gapsTable());
        return tables;
    }

    /// Adds a table that has rows.
    private static void put(Map<String, Table> tables, String title, Table table) {
        if (!table.rows().isEmpty()) {
            tables.put(title, table);
        }
    }

    private Table gapsTable() {
        return Table.of(gaps)
                .text("cell", gap -> gap.cell().isEmpty() ? "all" : gap.cell())
                .text("peer", gap -> gap.peer().isEmpty() ? "all" : gap.peer())
                .text("what", Gap::text)
                .table();
    }

    private Table cpuTable() {
        return loadTable((load, f) -> cpu(f, load.reference()))
                .figure("ratio", LoadResult::ratio, 2)
                .text("gate", load -> limit(load.gate().ratio(), load.verdict()))
                .text("aim", load -> limit(load.gate().aim(), load.aimVerdict()))
                .figure("÷ floor", LoadResult::floorRatio, 2)
                .table();
    }

    private static String limit(double limit, Verdict verdict) {
        String figure = Double.isInfinite(limit) ? "" : Digits.hundredths(limit) + " ";
        return figure + verdict.word();
    }

    /// Returns the columns of a table with a figure of each peer in each load cell.
    private Table.Columns<LoadResult> loadTable(BiFunction<LoadResult, Figures, String> figure) {
        Table.Columns<LoadResult> columns = Table.of(loads).text("cell", LoadResult::cell);
        peers.forEach(peer -> columns.text(peer, load -> figure(load, peer, figure)));
        return columns;
    }

    private String figure(
            LoadResult load, String peer, BiFunction<LoadResult, Figures, String> figure) {
        return load.of(peer)
                .map(f -> f.failure() != null ? Gap.Kind.FAILED.word() : figure.apply(load, f))
                .orElse(absent.contains(peer) ? Gap.Kind.NOT_MEASURED.word() : "–");
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
        return Table.of(singles)
                .text("cell", SingleResult::cell)
                .text(
                        "median (min–max)",
                        s -> s.failure() != null ? "failed" : Digits.range(s.statistics(), 3))
                .text("unit", SingleResult::unit)
                .text("gate", ReportText::gate)
                .table();
    }

    private static String gate(SingleResult single) {
        return Double.isNaN(single.gate())
                ? "–"
                : "< " + Digits.brief(single.gate(), 3) + " " + single.verdict().word();
    }

    private static String cpu(Figures f, @Nullable String reference) {
        Statistics s = f.cpuMicros();
        String marks = (f.peer().equals(reference) ? "*" : "") + (f.disturbed() ? "~" : "");
        return marks + s.text(Digits::hundredths);
    }

    private static String throughput(Figures f) {
        return String.join(
                " · ",
                Digits.of(f.requestsPerSecond() / 1e3, 1),
                Digits.of(f.bytesPerSecond() / 1e6, 0),
                Digits.hundredths(f.p99Micros() / 1e3));
    }

    private static String client(LoadResult load, Figures f) {
        Statistics micros = load.clientMicros().getOrDefault(f.peer(), Statistics.NONE);
        return " · " + Digits.hundredths(micros.median());
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

    /// Returns what a reader must know of the figures.
    public List<String> notes() {
        List<String> notes = new ArrayList<>(report.notes());
        for (LoadResult load : loads) {
            peersNote(load, Figures::disturbed, "too few quiet rounds, so disturbed ones count (~)")
                    .ifPresent(notes::add);
            peersNote(load, f -> !f.settled(), "figures had not settled when the warm-up ended")
                    .ifPresent(notes::add);
            peersNote(
                            load,
                            load::isRough,
                            "CPU time is counted in 10 ms, and a round had below 100 ms")
                    .ifPresent(notes::add);
        }
        report.cells().forEach(cell -> notes.addAll(cell.remarks()));
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

    /// Returns machine, programs, settings and the titles of the cells, a line each.
    public List<String> environment() {
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
