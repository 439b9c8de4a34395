package dev.serval.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.Chart;
import dev.serval.bench.report.LatencyResult;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class LineChartTest {
    private static Chart chart(Chart.Line... lines) {
        return new Chart(
                "Replies",
                new Chart.Axis("offered", "requests/s", false),
                new Chart.Axis("replies", "1/s", true),
                List.of(lines));
    }

    private static Chart.Line line(String name, double... ys) {
        return new Chart.Line(
                name,
                IntStream.range(0, ys.length)
                        .mapToObj(x -> new Chart.Point(100.0 * x, ys[x]))
                        .toList());
    }

    private static String html(Chart chart) {
        Html page = new Html();
        new LineChart(chart).write(page);
        return page.toString();
    }

    private static JsonNode data(String html) {
        String script = "<script type=\"application/json\">";
        int start = html.indexOf(script) + script.length();
        return JsonMapper.shared()
                .readTree(html.substring(start, html.indexOf("</script>", start)));
    }

    @Test
    void everyAxisHasItsUnit() {
        String html = html(chart(line("serval", 10, 100)));
        assertThat(html).contains(">replies (1/s)</text>", ">offered (requests/s)</text>");
        assertThat(data(html).at("/x/title").asString()).isEqualTo("offered (requests/s)");
        assertThat(data(html).at("/y/title").asString()).isEqualTo("replies (1/s)");
        Chart counted =
                new Chart(
                        "c",
                        new Chart.Axis("clients", "", false),
                        new Chart.Axis("percentile", Chart.PERCENTILE, true),
                        List.of());
        assertThat(html(counted)).contains(">clients (number)</text>", ">percentile</text>");
    }

    @Test
    void pointWithoutAPlaceIsAGap() {
        String html = html(chart(line("serval", 10, 100, Double.NaN, 0, 10)));
        assertThat(html)
                .containsPattern("d=\"M[0-9. ]+L[0-9. ]+M[0-9. ]+\"")
                .containsPattern("d=\"(M[0-9. ]+h0){3}\"");
        JsonNode points = data(html).at("/lines/0/points");
        assertThat(points.get(1).get("y").asDouble()).isEqualTo(2);
        assertThat(points.get(2).get("y").isNull()).isTrue();
        assertThat(points.get(3).get("y").isNull()).isTrue();
    }

    @Test
    void nameOfALineCannotEndTheScript() {
        String html = html(chart(line("</script><b>", 10)));
        assertThat(html).doesNotContain("<b>");
        assertThat(data(html).at("/lines/0/name").asString()).isEqualTo("</script><b>");
    }

    @Test
    void longLinesAreThinnedEvenly() {
        double[] many = IntStream.range(0, 10_000).mapToDouble(i -> i + 1).toArray();
        Chart chart = chart(line("serval", many));
        JsonNode points = data(html(chart)).at("/lines/0/points");
        assertThat(points.size()).isEqualTo(240);
        assertThat(points.get(0).get("x").asDouble()).isZero();
        assertThat(points.get(239).get("x").asDouble()).isEqualTo(999_900);
        assertThat(new LineChart(chart).table().rows()).hasSize(40);
    }

    @Test
    void tableHasTheFiguresOfAllLines() {
        Chart chart = chart(line("serval", 10, 100), line("nginx", 5));
        assertThat(new LineChart(chart).table().header())
                .containsExactly("offered (requests/s)", "serval", "nginx");
        assertThat(new LineChart(chart).table().rows())
                .containsExactly(List.of("0", "10", "5"), List.of("100", "100", "–"));
        assertThat(new LineChart(chart).caption()).isEqualTo("Replies, replies (1/s)");
    }

    @Test
    void percentilesKeepTheirNines() {
        Chart chart =
                new Chart(
                        "c",
                        new Chart.Axis("percentile", Chart.PERCENTILE, true),
                        new Chart.Axis("latency", "ms", true),
                        List.of(new Chart.Line("a", List.of(new Chart.Point(99.99, 1)))));
        assertThat(new LineChart(chart).table().rows()).containsExactly(List.of("99.99", "1"));
    }

    @Test
    void chartWithoutAPointIsLeftOut() {
        LatencyResult none = new LatencyResult("spin", "Spin", List.of(), "no server");
        assertThat(none.charts()).isNotEmpty();
        assertThat(LineChart.of(none)).isEmpty();
    }

    @Test
    void ninthLineHasAnotherDash() {
        Chart.Line[] nine =
                IntStream.range(0, 9).mapToObj(i -> line("s" + i, 10)).toArray(Chart.Line[]::new);
        String html = html(chart(nine));
        assertThat(html).contains("line line7\"").contains("line line0 dashed\"");
        assertThat(data(html).at("/lines/8/dashed").asBoolean()).isTrue();
        assertThat(data(html).at("/lines/0/dashed").asBoolean()).isFalse();
    }
}
