package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TailResultTest {
    /// Latencies that equal their percentile; the two rounds have one less and one more.
    private static List<TailResult.Latency> latencies() {
        return Stream.of(0.0, 50.0, 90.0, 99.0, 99.9)
                .map(p -> new TailResult.Latency(p, new Statistics(p, p - 1, p + 1)))
                .toList();
    }

    private static TailResult.Server server(String peer, long failed, boolean late) {
        return new TailResult.Server(
                peer, 1000, 500, failed, latencies(), 20, 0.5, late, late, null);
    }

    private static TailResult of(TailResult.Server... servers) {
        return new TailResult("half", "a file", "serval", List.of(servers), List.of("a note"));
    }

    @Test
    void failedRequestFailsTheCellOfTheSubjectOnly() {
        assertThat(of(server("serval", 0, false)).verdict()).isEqualTo(Verdict.NONE);
        assertThat(of(server("serval", 1, false)).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(of(server("nginx", 1, false)).verdict()).isEqualTo(Verdict.NONE);
        TailResult broken = of(TailResult.Server.failed("serval", "no start"));
        assertThat(broken.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(broken.gaps()).containsExactly(Gap.failed("half", "serval", "no start"));
    }

    @Test
    void rowsHaveTheFigureOfAllRequestsAndTheSpreadOfRounds() {
        List<Row> rows =
                of(
                                server("serval", 0, false),
                                server("nginx", 0, true),
                                TailResult.Server.failed("jetty", "no start"))
                        .rows();
        assertThat(rows)
                .extracting(Row::measure)
                .containsExactly("p50", "p90", "p99", "p99.9", "p99.99", "CPU per request there");
        assertThat(rows.get(2).values())
                .containsExactly(Map.entry("serval", new Statistics(99, 98, 100)));
        assertThat(rows.get(4).values()).isEmpty(); // too few requests for this percentile
        assertThat(rows.getLast().values()).containsEntry("serval", new Statistics(20, 20, 20));
    }

    @Test
    void chartHasTheKnownPercentilesOnALogarithmicAxis() {
        List<Chart> charts =
                of(server("serval", 0, false), TailResult.Server.failed("jetty", "no start"))
                        .charts();
        assertThat(charts).hasSize(1);
        Chart chart = charts.getFirst();
        assertThat(chart.x().unit()).isEqualTo(Chart.PERCENTILE);
        assertThat(chart.x().logarithmic()).isTrue();
        assertThat(chart.y().unit()).isEqualTo("ms");
        assertThat(chart.lines()).extracting(Chart.Line::name).containsExactly("serval");
        assertThat(chart.lines().getFirst().points())
                .extracting(Chart.Point::x)
                .startsWith(0.0)
                .endsWith(99.9);
    }

    @Test
    void tableHasEachServer() {
        TailResult result = of(server("serval", 2, false), server("nginx", 0, true));
        Table table = result.tables().values().iterator().next();
        assertThat(table.rows().getFirst())
                .containsExactly(
                        "serval",
                        "1000",
                        "500",
                        "50.0 (49.0–51.0)",
                        "90.0 (89.0–91.0)",
                        "99.0 (98.0–100)",
                        "99.9 (98.9–101)",
                        "–",
                        "2",
                        "20.0",
                        "50");
        assertThat(table.rows().getLast().getFirst()).isEqualTo("~g nginx");
        assertThat(result.remarks()).containsExactly("half: a note");
        assertThat(result.model()).isEqualTo(CellResult.Model.OPEN);
    }
}
