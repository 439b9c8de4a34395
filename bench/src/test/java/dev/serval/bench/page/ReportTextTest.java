package dev.serval.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.CellResult;
import dev.serval.bench.report.Environment;
import dev.serval.bench.report.Figures;
import dev.serval.bench.report.Gate;
import dev.serval.bench.report.LoadResult;
import dev.serval.bench.report.LoadResultTest;
import dev.serval.bench.report.Report;
import dev.serval.bench.report.Round;
import dev.serval.bench.report.Samples;
import dev.serval.bench.report.SingleResult;
import dev.serval.bench.report.Table;
import dev.serval.bench.report.TableResult;
import dev.serval.bench.report.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportTextTest {
    @Test
    void cpuOfTheClientIsShownWhereItIsKnown() {
        Round round =
                new Round(
                        "serval",
                        Round.Phase.MEASURED,
                        1,
                        3000,
                        1000,
                        0,
                        0,
                        10_000_000,
                        7_500_000,
                        0,
                        0,
                        false);
        LoadResult load =
                LoadResult.of(
                        "c",
                        "c",
                        Gate.NONE,
                        new LoadResult.Comparison("serval", List.of(), null),
                        List.of(Figures.of("serval", List.of(round), 1, true)),
                        List.of(round));
        assertThat(new ReportText(report().with(List.of(load))).text())
                .contains(" · CPU of the client per request in µs", "1.0 · 0 · 3.00 · 7.50");
        assertThat(new ReportText(report()).text()).doesNotContain("CPU of the client");
    }

    @Test
    void showsFiguresRatioAndVerdicts() {
        String text = new ReportText(report()).text();
        assertThat(text)
                .containsPattern(
                        "4k +8\\.00 \\(7\\.00–9\\.00\\) +\\*10\\.00 \\(10\\.00–10\\.00\\)"
                                + " +0\\.80  0\\.85 pass  0\\.75 miss +0\\.80\n")
                .containsPattern(
                        "4k +0\\.5 · 2 · 3\\.00 +0\\.5 · 2 · 3\\.00 +1\\.00 \\(≥ 1\\.00 pass\\)\n")
                .containsPattern("ready +0\\.350 \\(0\\.300–0\\.500\\) +s +< 0\\.400 pass\n")
                .containsPattern("4k +0\\.80 +1\\.00\n")
                .containsPattern("loops +1\\.900 \\(1\\.900–1\\.900\\) +ratio +–\n")
                .containsPattern("rss +failed +MB +< 150 fail\n")
                .containsPattern("rss +all +failed: ended\n")
                .contains("- 4k, nginx: figures had not settled when the warm-up ended\n")
                .contains("commit abc");
    }

    /// Nine hundredths of a second may be eight or ten.
    @Test
    void noteSaysOfWhichPeersTheKernelCountedFewTicks() {
        List<Round> busy = LoadResultTest.rounds("busy", 200, 100, 150);
        List<Round> waiting = LoadResultTest.rounds("waiting", 100, 99, 150);
        LoadResult load =
                LoadResult.of(
                        "slow",
                        "4 KB",
                        Gate.NONE,
                        new LoadResult.Comparison("busy", List.of("waiting"), ""),
                        List.of(
                                Figures.of("busy", busy, 3, true),
                                Figures.of("waiting", waiting, 3, true)),
                        Stream.concat(busy.stream(), waiting.stream()).toList());
        assertThat(new ReportText(Samples.report("", List.of(load))).notes())
                .contains(
                        "slow, waiting: CPU time is counted in 10 ms, and a round had below 100 ms");
    }

    @Test
    void loadWithoutAGateHasNoLimit() {
        LoadResult load =
                LoadResult.of(
                        "idle",
                        "4 KB",
                        Gate.NONE,
                        new LoadResult.Comparison("ours", List.of("nginx"), ""),
                        List.of(
                                Figures.of("ours", LoadResultTest.rounds("ours", 8, 8, 8), 3, true),
                                Figures.of(
                                        "nginx", LoadResultTest.rounds("nginx", 7, 7, 7), 3, true)),
                        List.of());
        Report report = report();
        Report one =
                new Report(
                        "static",
                        "Some files",
                        "",
                        report.environment(),
                        List.of(),
                        List.of(load),
                        List.of());
        assertThat(new ReportText(one).text()).contains("pass").doesNotContain("Infinity");
    }

    @Test
    void tablesOfOneTitleAreOne() {
        List<CellResult> cells = List.of(table("a"), table("b"));
        assertThat(new ReportText(report().with(cells)).tables())
                .containsEntry(
                        "Both", new Table(List.of("cell"), List.of(List.of("a"), List.of("b"))));
    }

    private static TableResult table(String cell) {
        return new TableResult(
                cell,
                cell,
                Verdict.NONE,
                List.of(),
                List.of(),
                Map.of("Both", new Table(List.of("cell"), List.of(List.of(cell)))),
                List.of(),
                List.of(),
                List.of());
    }

    @Test
    void writesMarkdownTables() {
        assertThat(new ReportText(report()).markdown())
                .startsWith("# Some files (static)\n")
                .containsPattern("\\| cell +\\| +serval \\| +nginx \\| +ratio \\|")
                .containsPattern("\\| -+ \\| -+: \\| -+: \\|")
                .contains("## Notes");
    }

    /// With these two peers alone, there is only this table of loads.
    @Test
    void showsRatioIntervalAndVerdictOfAnEarlierBuild() {
        List<Figures> figures =
                List.of(
                        Figures.of("ours", LoadResultTest.rounds("ours", 8, 8, 8), 3, true),
                        Figures.of("before", LoadResultTest.rounds("before", 7, 7, 7), 4, true));
        LoadResult load =
                LoadResult.of(
                                "4k",
                                "4 KB",
                                Gate.NONE,
                                new LoadResult.Comparison("ours", List.of("nginx"), ""),
                                figures,
                                List.of())
                        .with(LoadResultTest.before(1.035));
        Report report = report();
        String text =
                new ReportText(
                                new Report(
                                        "static",
                                        "Some files",
                                        "",
                                        report.environment(),
                                        List.of(),
                                        List.of(load),
                                        List.of()))
                        .text();
        assertThat(text)
                .contains("Subject ÷ before")
                .containsPattern(
                        "4k +1\\.040 +1\\.035–1\\.050 +1\\.030 slower +8\\.00 · ~7\\.00"
                                + " +3\\.00 · ~3\\.00 +0\\.5 · ~0\\.5\n")
                .doesNotContain("÷ the reference");
        assertThat(new ReportText(report).text()).doesNotContain("Subject ÷ before");
    }

    @Test
    void writesEveryRoundAsJson(@TempDir Path folder) throws IOException {
        Path markdown = ReportFiles.write(report(), folder.resolve("results"));
        assertThat(markdown).hasFileName("static-2026-01-02-030405.md");
        String json = Files.readString(markdown.resolveSibling("static-2026-01-02-030405.json"));
        JsonNode cell = JsonMapper.shared().readTree(json).at("/cells/0");
        assertThat(cell.at("/rounds").size()).isEqualTo(3);
        assertThat(cell.at("/rounds/0/cpuNanos").asLong()).isEqualTo(7_000_000);
        assertThat(cell.at("/ratio").asDouble()).isEqualTo(0.8);
        assertThat(cell.at("/verdict").asString()).isEqualTo("PASS");
    }

    @Test
    void alignsColumns() {
        Table table = new Table(List.of("a", "long"), List.of(List.of("xyz", "1")));
        assertThat(table.text()).isEqualTo("a    long\nxyz     1\n");
        assertThat(table.markdown()).isEqualTo("| a   | long |\n| --- | ---: |\n| xyz |    1 |\n");
    }

    private static Report report() {
        List<Round> ours = LoadResultTest.rounds("serval", 7, 8, 9);
        List<Figures> figures =
                List.of(
                        Figures.of("serval", ours, 3, true),
                        Figures.of("nginx", LoadResultTest.rounds("nginx", 10, 10, 10), 3, false));
        LoadResult load =
                LoadResult.of(
                        "4k",
                        "4 KB",
                        new Gate(0.85, 0.75, 1.0),
                        new LoadResult.Comparison("serval", List.of("nginx"), "nginx"),
                        figures,
                        ours);
        SingleResult ready =
                SingleResult.of(
                        new SingleResult.Measured("ready", "Ready", "s", 0.4),
                        List.of(0.5, 0.3, 0.35),
                        "");
        SingleResult rss =
                SingleResult.failed(new SingleResult.Measured("rss", "Memory", "MB", 150), "ended");
        SingleResult loops =
                SingleResult.of(
                        new SingleResult.Measured("loops", "Two loops", "ratio", Double.NaN),
                        List.of(1.9),
                        "");
        Environment environment =
                new Environment(
                        "2026-01-02T03:04:05Z",
                        "abc",
                        "6.1",
                        "some CPU",
                        "pinned",
                        1,
                        "25",
                        Map.of(),
                        Map.of());
        return new Report(
                "static",
                "Some files",
                "",
                environment,
                List.of(),
                List.of(load, ready, loops, rss),
                List.of());
    }
}
