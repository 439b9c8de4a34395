package dev.serval.bench.page;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Table;
import java.util.List;

/// The report as Markdown, with the same tables as the page and those of its charts.
final class MarkdownPage {
    private final ReportFolder folder;
    private final Standings standings;
    private final StringBuilder out = new StringBuilder();

    MarkdownPage(ReportFolder folder, Standings standings) {
        this.folder = folder;
        this.standings = standings;
    }

    /// Returns the document.
    String text() {
        out.append("# ").append(Summary.TITLE).append("\n\n");
        list(Summary.measured(folder.reports()));
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
        for (Report report : folder.reports()) {
            out.append(folder.text(report).section()).append('\n');
            for (CellResult cell : report.cells()) {
                LineChart.of(cell).forEach(lines -> table(3, lines.caption(), lines.table()));
            }
        }
        if (!folder.unmeasured().rows().isEmpty()) {
            table(2, Summary.UNMEASURED, folder.unmeasured());
        }
        table(2, "Machine and programs", Summary.machines(folder.reports()));
        if (folder.reports().stream().anyMatch(report -> !report.peers().isEmpty())) {
            table(2, "Servers", Summary.servers(folder.reports()));
        }
        Summary.configurations(folder.reports()).forEach(this::configuration);
        if (!folder.leftOut().isEmpty()) {
            out.append("## ").append(Summary.LEFT_OUT).append("\n\n");
            list(folder.leftOut());
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
