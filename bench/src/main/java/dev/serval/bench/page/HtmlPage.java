package dev.serval.bench.page;

import dev.serval.bench.peer.Resources;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Verdict;

/// The report as one HTML file that loads nothing. Without scripts it has the same figures.
final class HtmlPage {
    private final ReportFolder folder;
    private final Standings standings;
    private final Html page = new Html();

    HtmlPage(ReportFolder folder, Standings standings) {
        this.folder = folder;
        this.standings = standings;
    }

    /// Returns the page.
    String text() {
        page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
                .raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
                .raw("<link rel=\"icon\" href=\"data:,\">\n")
                .element("title", Summary.TITLE)
                .raw("<style>\n")
                .raw(Resources.text(HtmlPage.class, "report.css"))
                .raw("</style>\n</head>\n<body>\n<header>\n")
                .element("h1", Summary.TITLE);
        Summary.measured(folder.reports()).forEach(line -> page.element("p", line));
        page.raw("</header>\n<nav aria-label=\"Scenarios\"><ul>\n")
                .raw("<li><a href=\"#summary\">Summary</a></li>\n");
        for (Report report : folder.reports()) {
            link(id(report), report.scenario());
        }
        link("machine", "Machine and servers");
        page.raw("</ul></nav>\n<main>\n");
        summary();
        folder.reports().forEach(this::scenario);
        if (!folder.unmeasured().rows().isEmpty()) {
            page.table(Summary.UNMEASURED, folder.unmeasured());
        }
        machine();
        page.raw("</main>\n<script>\n")
                .raw(
                        Resources.text(HtmlPage.class, "chart.umd.min.js")
                                .replace("</script", "<\\/script"))
                .raw("\n</script>\n<script>\n")
                .raw(Resources.text(HtmlPage.class, "report.js"))
                .raw("</script>\n</body>\n</html>\n");
        return page.toString();
    }

    private void link(String id, String name) {
        page.raw("<li><a href=\"#").text(id).raw("\">").text(name).raw("</a></li>\n");
    }

    /// The name of a scenario may be anything in a file that a stranger wrote.
    private static String id(Report report) {
        return "scenario-" + report.scenario().replaceAll("[^A-Za-z0-9-]", "-");
    }

    private void summary() {
        page.raw("<section id=\"summary\">\n").element("h2", "For people in a hurry");
        Summary.sentences(standings).forEach(line -> page.element("p", line));
        if (!standings.all().isEmpty()) {
            page.table(Summary.COUNTS, standings.counts())
                    .raw("<figure class=\"plot\">\n")
                    .element("figcaption", Summary.PLOT)
                    .raw(DotPlot.svg(standings, DotPlot.WIDE))
                    .raw(DotPlot.svg(standings, DotPlot.NARROW))
                    .raw("</figure>\n");
            if (!standings.losses().isEmpty()) {
                page.table(Summary.LOSSES, Standings.table(standings.losses()));
            }
            page.raw("<details><summary>")
                    .text(Summary.EVERY)
                    .raw("</summary>\n")
                    .table(Summary.EVERY, Standings.table(standings.all()))
                    .raw("</details>\n");
        }
        page.raw("</section>\n");
    }

    private void scenario(Report report) {
        ReportText text = folder.text(report);
        page.raw("<section id=\"").text(id(report)).raw("\">\n");
        page.element("h2", report.title() + " (" + report.scenario() + ")");
        page.element("p", gates(report));
        text.introduction().forEach(line -> page.element("p", line));
        text.tables().forEach(page::table);
        for (CellResult cell : report.cells()) {
            LineChart.of(cell).forEach(chart -> chart.write(page));
        }
        if (!text.notes().isEmpty()) {
            page.element("h3", "Notes").list(text.notes());
        }
        page.raw("<details><summary>Measured on</summary>\n")
                .list(text.environment())
                .raw("</details>\n</section>\n");
    }

    private static String gates(Report report) {
        return "Gates: %d passed, %d failed."
                .formatted(count(report, Verdict.PASS), count(report, Verdict.FAIL));
    }

    private static long count(Report report, Verdict verdict) {
        return report.cells().stream().filter(cell -> cell.verdict() == verdict).count();
    }

    private void machine() {
        page.raw("<section id=\"machine\">\n").element("h2", "Machine and servers");
        page.table("Machine and programs", Summary.machines(folder.reports()));
        if (folder.reports().stream().anyMatch(report -> !report.peers().isEmpty())) {
            page.table("Servers", Summary.servers(folder.reports()));
        }
        Summary.configurations(folder.reports())
                .forEach((servers, configuration) ->
                        page.raw("<details><summary>Configuration: ")
                                .text(servers)
                                .raw("</summary>\n<pre tabindex=\"0\">")
                                .text(configuration)
                                .raw("</pre></details>\n"));
        for (Report report : folder.reports()) {
            page.raw("<details><summary>Settings: ")
                    .text(report.scenario())
                    .raw("</summary>\n")
                    .table(
                            "Settings of " + report.scenario(),
                            Summary.facts(report.environment().settings()))
                    .raw("</details>\n");
        }
        if (!folder.leftOut().isEmpty()) {
            page.element("h3", Summary.LEFT_OUT).list(folder.leftOut());
        }
        page.raw("</section>\n");
    }
}
