package dev.serval.bench.page;

import dev.serval.bench.peer.Resources;
import dev.serval.bench.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/// The results of a folder, and the pages made of them. Each scenario has its newest report, together
/// with the cells that only older reports of the same commit, machine and settings have. They may
/// have measured other servers.
///
/// @param reports one for each scenario
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
        Map<String, Report> newest =
                new TreeMap<>(Comparator.comparingInt(ReportFolder::place).thenComparing(n -> n));
        for (Read one : all) {
            Report newer = newest.get(one.report.scenario());
            if (newer == null || newer.environment().isLike(one.report.environment())) {
                newest.put(
                        one.report.scenario(),
                        newer == null ? one.report : newer.joined(one.report));
            } else {
                leftOut.add(one.file + ": there are newer results of scenario " + newer.scenario());
            }
        }
        return new ReportFolder(folder, List.copyOf(newest.values()), List.copyOf(leftOut));
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
