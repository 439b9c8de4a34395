package dev.serval.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Environment;
import dev.serval.bench.report.Gap;
import dev.serval.bench.report.PeerFacts;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Samples;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.InputSource;

final class ReportFolderTest {
    private static final int MOST_BYTES = 2_000_000;

    /// The name of older results of scenario `sample`.
    private static final String SECOND = "sample@0123456";

    @TempDir Path folder;

    private ReportFolder read() throws IOException {
        return ReportFolder.read(folder, List.of());
    }

    private String written(String file) throws IOException {
        ReportFiles.write(Samples.report(), folder);
        assertThat(read().write()).isEqualTo(folder.resolve("report.html"));
        return Files.readString(folder.resolve(file));
    }

    @Test
    void pageHasEverythingThatIsMeasured() throws IOException {
        String html = written(ReportFolder.HTML);
        assertThat(html)
                .contains("<h2>For people in a hurry</h2>")
                .contains("The paper of 1996, table 2")
                .contains("Closed load (a client waits for its answer): 4k-keep-alive, ")
                .contains(
                        "Open load (requests are sent at planned instants): beside-spin, cpu-5, ramp,"
                                + " half.")
                .contains("Failed or not measured", "it needs four CPUs")
                .contains("not measured: h2o is missing: apt-get install h2o")
                .contains("A servlet that needs 5 ms: goodput")
                .contains("offered (requests/s)")
                .contains("Configuration: nginx in sample", "serval run FOLDER")
                .contains("half: latency by percentile", "requests within it (percentile)")
                .contains(">99.9</text>", ">99.99</text>")
                .contains("Some CPU of 2.6 GHz", "0123456789abcdef")
                .contains("Settings of sample")
                .contains("Used Heap Size", "server then", "Jetty 9")
                .contains("Chart.js v");
        for (CellResult cell : Samples.cells()) {
            assertThat(html).contains(cell.cell());
        }
    }

    /// The test of the page in a browser, in module applications/test, reads this file. To make it
    /// anew, write [Samples#report] by [ReportFiles].
    @Test
    void fileForTheBrowserIsThatOfTheSamples() throws IOException {
        Path sample = Path.of("src/test/resources/dev/serval/bench/page/sample.json");
        assertThat(ReportFiles.read(sample)).isEqualTo(Samples.report());
    }

    /// The only requests of a page would be those of its links, styles, pictures and scripts.
    @Test
    void pageLoadsNothing() throws IOException {
        String html = written(ReportFolder.HTML);
        assertThat(html)
                .doesNotContainPattern("(src|href)=\"(?!#|data:,\")")
                .doesNotContain("@import", "url(");
        assertThat(html.length()).isLessThan(MOST_BYTES);
    }

    @Test
    void textIsEscaped() throws IOException {
        assertThat(written(ReportFolder.HTML))
                .contains(
                        "A sample of everything &lt;script&gt;alert(&#39;1 &amp; 2&#39;)&lt;/script&gt;")
                .doesNotContain("<script>alert");
    }

    @Test
    void tablesHaveCaptionsAndScopes() throws IOException {
        String html = written(ReportFolder.HTML);
        assertThat(html.split("<table>", -1)).hasSameSizeAs(html.split("<caption>", -1));
        assertThat(html)
                .contains("<td class=\"bad\">failed</td>", "<td class=\"bad\">0.85 fail</td>")
                .contains("<td class=\"long\">failed: it ended</td>")
                .contains("<td class=\"good\">leads</td>", "<td class=\"bad\">loses</td>");
        assertThat(html).contains("<th scope=\"col\">cell</th>", "<th scope=\"row\">rss</th>");
    }

    @Test
    void markdownHasTheSameTables() throws IOException {
        assertThat(written(ReportFolder.MARKDOWN))
                .startsWith("# Benchmarks of Serval\n")
                .contains("![", "](summary.svg)")
                .contains("## Where Serval loses")
                .contains("| sample four-wide-words-with-hyphens: CPU per request")
                .contains("### A servlet that needs 5 ms: goodput, goodput (answers/s)")
                .contains("### Configuration: nginx in sample\n\n```\nworker_processes 1;")
                .contains("## Machine and programs");
    }

    @Test
    void pictureIsXmlOfItsOwn() throws Exception {
        String svg = written(ReportFolder.PICTURE);
        var document =
                DocumentBuilderFactory.newInstance()
                        .newDocumentBuilder()
                        .parse(new InputSource(new StringReader(svg)));
        assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
        assertThat(svg)
                .contains("<style>")
                .contains("class=\"loses\"")
                .contains("class=\"failed\"");
        assertThat(svg.indexOf("class=\"failed\"")).isLessThan(svg.indexOf("class=\"loses\""));
        assertThat(svg.indexOf("class=\"loses\"")).isLessThan(svg.indexOf("class=\"leads\""));
    }

    @Test
    void cellsOfOtherServersAtTheSameCommitCount() throws IOException {
        List<CellResult> cells = Samples.cells();
        Report older = Samples.report("2026-01-02T03:04:05Z", cells.subList(0, 1));
        Report newer = Samples.report("2026-01-03T03:04:05Z", cells.subList(1, 2));
        PeerFacts tomcat = new PeerFacts("tomcat", true, "11.0", "NIO", "");
        ReportFiles.write(
                of("serval,tomcat", older, List.of(older.peers().get(0), tomcat)), folder);
        ReportFiles.write(of("serval,nginx", newer, newer.peers().subList(0, 2)), folder);
        Report joined = read().reports().getFirst();
        assertThat(joined.cells()).containsExactly(cells.get(1), cells.get(0));
        assertThat(joined.peers())
                .extracting(PeerFacts::name)
                .containsExactly("serval", "nginx", "tomcat");
        assertThat(joined.environment().settings()).containsEntry("peers", "serval,nginx,tomcat");
    }

    private static Report of(String servers, Report report, List<PeerFacts> peers) {
        Environment e = report.environment();
        return new Report(
                report.scenario(),
                report.title(),
                report.paper(),
                e.with(e.commit(), Map.of("peers", servers, "rounds", "3")),
                peers,
                report.cells(),
                report.notes());
    }

    @Test
    void cellsOfAnotherMachineHaveASectionOfTheirOwn() throws IOException {
        List<CellResult> cells = Samples.cells();
        Report older = Samples.report("2026-01-02T03:04:05Z", cells.subList(0, 2));
        Environment e = older.environment();
        Environment elsewhere =
                new Environment(
                        e.date(),
                        e.commit(),
                        e.kernel(),
                        "Another CPU",
                        e.cpus(),
                        e.memoryMegabytes(),
                        e.jdk(),
                        e.versions(),
                        e.settings());
        ReportFiles.write(older.in(elsewhere), folder);
        ReportFiles.write(Samples.report("2026-01-03T03:04:05Z", cells.subList(1, 2)), folder);
        ReportFolder read = read();
        assertThat(read.reports()).extracting(Report::scenario).containsExactly("sample", SECOND);
        assertThat(read.reports().getFirst().cells()).containsExactly(cells.get(1));
        assertThat(read.reports().getLast().cells()).containsExactly(cells.get(0));
        assertThat(read.reports().getLast().environment().cpuModel()).isEqualTo("Another CPU");
        assertThat(read.leftOut()).isEmpty();
        read.write();
        assertThat(folder.resolve(ReportFolder.HTML))
                .content()
                .contains("<a href=\"#scenario-sample\">", "(" + SECOND + ")</h2>")
                .contains("<section id=\"scenario-" + SECOND.replace('@', '-') + "\">");
        assertThat(folder.resolve(ReportFolder.MARKDOWN))
                .content()
                .contains("(" + SECOND + ")\n", "| " + SECOND);
    }

    @Test
    void headHasTheCommitsOfEachMachineInShort() throws IOException {
        List<CellResult> cells = Samples.cells();
        ReportFiles.write(Samples.report("2026-01-03T03:04:05Z", cells.subList(0, 1)), folder);
        Report older = Samples.report("2026-01-02T03:04:05Z", cells.subList(1, 2));
        String commit = "fedcba9876543210fedcba9876543210fedcba98+changes";
        Environment e = older.environment();
        ReportFiles.write(older.in(e.with(commit, e.settings())), folder);
        read().write();
        assertThat(folder.resolve(ReportFolder.MARKDOWN))
                .content()
                .contains("- Commit 0123456, fedcba9+changes on " + e.cpuModel());
    }

    /// The name of the processor alone does not tell two virtual machines apart.
    @ParameterizedTest
    @ValueSource(strings = {"kernel", "cpus", "jdk", "nginx"})
    void cellsOfAnotherSystemOrVersionHaveASectionOfTheirOwn(String other) throws IOException {
        List<CellResult> cells = Samples.cells();
        Report older = Samples.report("2026-01-02T03:04:05Z", cells.subList(0, 1));
        Environment e = older.environment();
        Map<String, String> versions = new TreeMap<>(e.versions());
        versions.put("nginx", other.equals("nginx") ? "0.9" : versions.getOrDefault("nginx", "1"));
        Environment elsewhere =
                new Environment(
                        e.date(),
                        e.commit(),
                        other.equals("kernel") ? "other" : e.kernel(),
                        e.cpuModel(),
                        other.equals("cpus") ? "other" : e.cpus(),
                        e.memoryMegabytes(),
                        other.equals("jdk") ? "other" : e.jdk(),
                        versions,
                        e.settings());
        ReportFiles.write(older.in(elsewhere), folder);
        ReportFiles.write(Samples.report("2026-01-03T03:04:05Z", cells.subList(1, 2)), folder);
        assertThat(read().reports()).extracting(Report::scenario).containsExactly("sample", SECOND);
    }

    @Test
    void cellsOfEachOtherSettingsHaveASectionOfTheirOwn() throws IOException {
        List<CellResult> cells = Samples.cells();
        ReportFiles.write(Samples.report("2026-01-03T03:04:05Z", cells.subList(0, 1)), folder);
        for (int day = 1; day <= 2; day++) {
            Report older =
                    Samples.report("2026-01-0" + day + "T03:04:05Z", cells.subList(day, day + 1));
            Environment e = older.environment();
            Map<String, String> settings = Map.of("rounds", "1" + day);
            ReportFiles.write(older.in(e.with(e.commit(), settings)), folder);
        }
        ReportFolder read = read();
        assertThat(read.reports())
                .extracting(Report::scenario)
                .containsExactly("sample", SECOND, SECOND + "-2");
        assertThat(read.reports().get(1).cells()).containsExactly(cells.get(2));
        assertThat(read.reports().get(2).cells()).containsExactly(cells.get(1));
        assertThat(read.leftOut()).isEmpty();
    }

    @Test
    void newestReportCountsWithCellsOfTheSameCommit() throws IOException {
        List<CellResult> cells = Samples.cells();
        ReportFiles.write(Samples.report("2026-01-02T03:04:05Z", cells.subList(0, 2)), folder);
        ReportFiles.write(Samples.report("2026-01-03T03:04:05Z", cells.subList(1, 3)), folder);
        Report other = Samples.report("2026-01-01T03:04:05Z", cells.subList(2, 3));
        ReportFiles.write(other.in(other.environment().with("abc", Map.of())), folder);
        ReportFolder read = read();
        assertThat(read.reports()).hasSize(1);
        assertThat(read.reports().getFirst().environment().date())
                .isEqualTo("2026-01-03T03:04:05Z");
        assertThat(read.reports().getFirst().cells())
                .containsExactly(cells.get(1), cells.get(2), cells.get(0));
        assertThat(read.leftOut())
                .singleElement()
                .asString()
                .contains("sample-2026-01-01-030405.json: there are newer results of scenario");
    }

    @Test
    void serversThatARunWasNotAskedForAreNotMeasured() throws IOException {
        List<CellResult> cells = Samples.cells();
        Report older = Samples.report("2026-01-02T03:04:05Z", cells.subList(0, 1));
        Report newer = Samples.report("2026-01-03T03:04:05Z", cells.subList(1, 2));
        ReportFiles.write(of("serval", older, older.peers().subList(0, 1)), folder);
        ReportFiles.write(of("serval,nginx", newer, newer.peers().subList(0, 2)), folder);
        String first = cells.get(0).cell();
        String second = cells.get(1).cell();
        Planned plan =
                new Planned(
                        "sample",
                        Map.of(
                                first,
                                List.of("serval", "nginx"),
                                second,
                                List.of("serval", "nginx", "httpd"),
                                "never",
                                List.of("jetty")));
        ReportFolder read = ReportFolder.read(folder, List.of(plan));
        assertThat(read.gaps().get("sample"))
                .containsExactly(
                        new Gap(second, "httpd", Gap.Kind.NOT_MEASURED, "not part of that run"),
                        new Gap(first, "nginx", Gap.Kind.NOT_MEASURED, "not part of that run"));
        read.write();
        for (String page : List.of(ReportFolder.HTML, ReportFolder.MARKDOWN)) {
            assertThat(folder.resolve(page))
                    .content()
                    .contains("not measured: not part of that run")
                    .contains(
                            "Cells of the scenarios without a result",
                            "./serval bench sample --cells never");
        }
    }

    @Test
    void resultsBelongToTheCellWithMostOfTheirName() throws IOException {
        Report report = Samples.report("2026-01-02T03:04:05Z", Samples.cells());
        ReportFiles.write(report, folder);
        Map<String, List<String>> plan = new LinkedHashMap<>();
        for (String cell : List.of("memory", "memory-heap-other", "beside", "four-wide-words")) {
            plan.put(cell, List.of());
        }
        ReportFolder read = ReportFolder.read(folder, List.of(new Planned("sample", plan)));
        assertThat(read.unmeasured().rows())
                .containsExactly(
                        List.of("sample", "./serval bench sample --cells memory-heap-other"));
        Planned other = new Planned("other", Map.of("a", List.of()));
        assertThat(ReportFolder.read(folder, List.of(other)).unmeasured().rows())
                .containsExactly(List.of("other", "./serval bench other"));
    }

    @Test
    void fileThatCannotBeReadIsNamedOnThePage() throws IOException {
        Files.writeString(folder.resolve("old.json"), "{}");
        Files.writeString(folder.resolve("sample.part.json"), "{}");
        String html = written(ReportFolder.HTML);
        assertThat(html).contains("old.json is not a report").doesNotContain("part.json");
    }

    @Test
    void folderWithoutResultsHasAPageThatSaysSo() throws IOException {
        read().write();
        assertThat(folder.resolve("report.html"))
                .content()
                .contains("There is no result that compares Serval");
    }
}
