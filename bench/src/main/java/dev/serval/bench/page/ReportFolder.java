package dev.serval.bench.page;

import dev.serval.bench.peer.Resources;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The results of a folder, and the pages made of them. Each scenario has its newest report, together
/// with the cells that only older reports of the same commit, machine and settings have. They may
/// have measured other servers. Cells that only reports of another commit, machine or other settings
/// have follow under a name with the commit, such as `jigsaw@0123456`.
///
/// @param reports one or more for each scenario
/// @param gaps servers that runs were not asked for, by the names of the reports
/// @param unmeasured cells without a result, with the command that measures them
/// @param leftOut files that are not in the pages, each with the reason
public record ReportFolder(
        Path folder,
        List<Report> reports,
        Map<String, List<Gap>> gaps,
        Table unmeasured,
        List<String> leftOut) {
    /// The page.
    public static final String HTML = "report.html";

    /// The same as Markdown.
    public static final String MARKDOWN = "report.md";

    /// The picture of the first page alone.
    public static final String PICTURE = "summary.svg";

    /// The order of the scenarios on the page. Others follow by name.
    private static final List<String> ORDER = Resources.lines(ReportFolder.class, "order.txt");

    private record Read(Path file, Report report) {}

    /// Reads the results of a folder.
    ///
    /// @param plans all scenarios
    public static ReportFolder read(Path folder, List<Planned> plans) throws IOException {
        List<String> leftOut = new ArrayList<>();
        List<Read> all = new ArrayList<>();
        for (Path file : files(folder)) {
            try {
                all.add(new Read(file, ReportFiles.read(file)));
            } catch (IOException e) {
                leftOut.add(String.valueOf(e.getMessage()));
            }
        }
        all.sort(Comparator.comparing((Read one) -> one.report.environment().date()).reversed());
        Map<String, List<Report>> sections =
                new TreeMap<>(Comparator.comparingInt(ReportFolder::place).thenComparing(n -> n));
        Map<String, List<Gap>> gaps = new TreeMap<>();
        for (Read one : all) {
            String scenario = one.report.scenario();
            List<Report> newer = sections.computeIfAbsent(scenario, _ -> new ArrayList<>());
            Report rest = rest(newer, one.report);
            String section = add(newer, rest);
            if (section.isEmpty()) {
                leftOut.add(one.file + ": there are newer results of scenario " + scenario);
            }
            plans.stream()
                    .filter(plan -> !section.isEmpty() && plan.scenario().equals(scenario))
                    .forEach(plan ->
                            gaps.computeIfAbsent(section, _ -> new ArrayList<>())
                                    .addAll(plan.notAsked(rest)));
        }
        List<Report> reports = sections.values().stream().flatMap(List::stream).toList();
        return new ReportFolder(
                folder, reports, gaps, unmeasured(plans, reports), List.copyOf(leftOut));
    }

    private static Table unmeasured(List<Planned> plans, List<Report> reports) {
        List<List<String>> rows = new ArrayList<>();
        for (Planned plan : plans) {
            List<String> cells = plan.withoutResult(reports);
            boolean all = cells.size() == plan.cells().size();
            String command = "./serval bench " + plan.scenario();
            if (!cells.isEmpty()) {
                String some = all ? "" : " --cells " + String.join(",", cells);
                rows.add(List.of(plan.scenario(), command + some));
            }
        }
        return new Table(List.of("scenario", "command that measures them"), rows);
    }

    /// Returns a report with the cells that no newer one has.
    private static Report rest(List<Report> newer, Report older) {
        Set<String> known =
                newer.stream()
                        .flatMap(report -> report.cells().stream())
                        .map(CellResult::cell)
                        .collect(Collectors.toSet());
        return older.with(older.cells().stream().filter(c -> !known.contains(c.cell())).toList());
    }

    /// Adds cells to the section of the same circumstances, or as a new one.
    ///
    /// @param newer the sections of the scenario so far
    /// @return the name of the section, or empty if there are no cells and no such section
    private static String add(List<Report> newer, Report rest) {
        for (int i = 0; i < newer.size(); i++) {
            if (newer.get(i).environment().isLike(rest.environment())) {
                newer.set(i, newer.get(i).joined(rest));
                return newer.get(i).scenario();
            }
        }
        String at = rest.nameAtCommit();
        long same = newer.stream().filter(report -> report.scenario().startsWith(at)).count();
        String name = newer.isEmpty() ? rest.scenario() : same == 0 ? at : at + "-" + (same + 1);
        return !rest.cells().isEmpty() && newer.add(rest.named(name)) ? name : "";
    }

    /// Returns the text of one of the reports.
    ReportText text(Report report) {
        return new ReportText(report, gaps.getOrDefault(report.scenario(), List.of()));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".json"))
                    .filter(file -> !file.toString().endsWith(".part.json"))
                    .sorted()
                    .toList();
        }
    }

    private static int place(String scenario) {
        int place = ORDER.indexOf(scenario);
        return place < 0 ? ORDER.size() : place;
    }

    /// Writes the pages.
    ///
    /// @return the HTML page
    public Path write() throws IOException {
        Standings standings = Standings.of(reports);
        Path html = folder.resolve(HTML);
        ReportFiles.writeWhole(html, new HtmlPage(this, standings).text());
        ReportFiles.writeWhole(folder.resolve(MARKDOWN), new MarkdownPage(this, standings).text());
        ReportFiles.writeWhole(folder.resolve(PICTURE), DotPlot.alone(standings));
        return html;
    }
}
