package dev.serval.bench.page;

import dev.serval.bench.peer.Resources;
import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Report;
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
/// @param leftOut files that are not in the pages, each with the reason
public record ReportFolder(Path folder, List<Report> reports, List<String> leftOut) {
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
    public static ReportFolder read(Path folder) throws IOException {
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
        for (Read one : all) {
            String scenario = one.report.scenario();
            if (!add(sections.computeIfAbsent(scenario, _ -> new ArrayList<>()), one.report)) {
                leftOut.add(one.file + ": there are newer results of scenario " + scenario);
            }
        }
        List<Report> reports = sections.values().stream().flatMap(List::stream).toList();
        return new ReportFolder(folder, reports, List.copyOf(leftOut));
    }

    /// Adds the cells that no newer report of the scenario has.
    ///
    /// @param newer the sections of the scenario so far
    /// @return whether there were any, or the report has them in the same circumstances
    private static boolean add(List<Report> newer, Report older) {
        Set<String> known =
                newer.stream()
                        .flatMap(report -> report.cells().stream())
                        .map(CellResult::cell)
                        .collect(Collectors.toSet());
        Report rest =
                older.with(older.cells().stream().filter(c -> !known.contains(c.cell())).toList());
        for (int i = 0; i < newer.size(); i++) {
            if (newer.get(i).environment().isLike(older.environment())) {
                newer.set(i, newer.get(i).joined(rest));
                return true;
            }
        }
        String name = newer.isEmpty() ? older.scenario() : older.nameAtCommit();
        boolean isNew = newer.stream().noneMatch(report -> report.scenario().equals(name));
        return isNew && !rest.cells().isEmpty() && newer.add(rest.named(name));
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
        ReportFiles.writeWhole(html, new HtmlPage(reports, standings, leftOut).text());
        ReportFiles.writeWhole(
                folder.resolve(MARKDOWN), new MarkdownPage(reports, standings, leftOut).text());
        ReportFiles.writeWhole(folder.resolve(PICTURE), DotPlot.alone(standings));
        return html;
    }
}
