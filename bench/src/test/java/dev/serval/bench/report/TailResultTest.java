package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class TailResultTest {
    /// Latencies that equal their percentile; the two rounds have one less and one more.
    private static List<TailResult.Latency> latencies() {
        Function<Double, Double> all = p -> p > 99.9 ? Double.NaN : p;
        return TailResult.latencies(all, List.of(p -> all.apply(p) - 1, p -> all.apply(p) + 1));
    }

    private static TailResult.Server server(String peer, long failed, boolean ofTheGenerator) {
        return new TailResult.Server(
                peer,
                1000,
                500,
                5000,
                failed,
                latencies(),
                20,
                0.5,
                0,
                ofTheGenerator,
                ofTheGenerator,
                null);
    }

    private static TailResult of(TailResult.Server... servers) {
        return new TailResult("half", "a file", "serval", 0.5, List.of(servers), List.of("a note"));
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
        assertThat(rows.get(2).values()).containsOnlyKeys("serval");
        assertThat(rows.get(2).values().get("serval")).isEqualTo(new Statistics(99, 98, 100));
        assertThat(rows.get(4).values().get("serval").median()).isNaN();
        assertThat(rows.getLast().values().get("serval").median()).isEqualTo(20);
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
                .contains(50.0, 90.0, 99.0)
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
        assertThat(result.remarks())
                .containsExactly(
                        "half: each server was offered 0.50 of its own capacity, so the rates differ",
                        "half: the generator was at its end with servers marked g, which are not"
                                + " compared",
                        "half: a note");
        assertThat(result.model()).isEqualTo(CellResult.Model.OPEN);
    }
}
