package dev.serval.bench.page;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Table;
import java.util.List;

/// The report as Markdown, with the same tables as the page and those of its charts.
final class MarkdownPage {
    private final List<Report> reports;
    private final Standings standings;
    private final List<String> leftOut;
    private final StringBuilder out = new StringBuilder();

    MarkdownPage(List<Report> reports, Standings standings, List<String> leftOut) {
        this.reports = reports;
        this.standings = standings;
        this.leftOut = leftOut;
    }

    /// Returns the document.
    String text() {
        out.append("# ").append(Summary.TITLE).append("\n\n");
        list(Summary.measured(reports));
        Summary.sentences(standings).forEach(line -> out.append(line).append("\n\n"));
        if (!standings.all().isEmpty()) {
            out.append("![").append(Summary.PLOT).append("](");
            out.append(ReportFolder.PICTURE).append(")\n\n");
            table(2, Summary.COUNTS, standings.counts());
            if (!standings.losses().isEmpty()) {
                table(2, Summary.LOSSES, Standings.table(standings.losses()));
            }
            table(2, Summary.EVERY, Standings.table(standings.all()));
        }
        for (Report report : reports) {
            out.append(new ReportText(report).section()).append('\n');
            for (CellResult cell : report.cells()) {
                LineChart.of(cell).forEach(lines -> table(3, lines.caption(), lines.table()));
            }
        }
        table(2, "Machine and programs", Summary.machines(reports));
        if (reports.stream().anyMatch(report -> !report.peers().isEmpty())) {
            table(2, "Servers", Summary.servers(reports));
        }
        Summary.configurations(reports).forEach(this::configuration);
        if (!leftOut.isEmpty()) {
            out.append("## ").append(Summary.LEFT_OUT).append("\n\n");
            list(leftOut);
        }
        return out.toString().stripTrailing() + "\n";
    }

    private void table(int level, String title, Table table) {
        out.append("#".repeat(level)).append(' ').append(title).append("\n\n");
        out.append(table.markdown()).append('\n');
    }

    private void list(List<String> lines) {
        lines.forEach(line -> out.append("- ").append(line).append('\n'));
        out.append('\n');
    }

    /// Adds a configuration as code. Its fence is longer than any in the text.
    private void configuration(String servers, String text) {
        String fence = "```";
        while (text.contains(fence)) {
            fence += "`";
        }
        out.append("### Configuration: ").append(servers).append("\n\n").append(fence);
        out.append('\n').append(text.stripTrailing()).append('\n').append(fence).append("\n\n");
    }
}
