package dev.serval.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.Row;
import dev.serval.bench.report.Samples;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.Table;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StandingsTest {
    private final Standings standings = Standings.of(List.of(Samples.report()));

    private Standing of(String label) {
        return standings.all().stream()
                .filter(one -> one.label().equals("sample " + label))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void lessIsBetterForCostsAndMoreForRates() {
        Standing cost = of("4k-keep-alive: CPU per request");
        assertThat(cost.best()).isEqualTo("nginx");
        assertThat(cost.ratio()).isEqualTo(0.8);
        Standing rate = of("cpu-5: goodput at the greatest load");
        assertThat(rate.best()).isEqualTo("jetty");
        assertThat(rate.ratio()).isEqualTo(60 / 170.0);
        assertThat(rate.state()).isEqualTo(Standing.State.LEADS);
    }

    @Test
    void rangesThatOverlapAreEqual() {
        Row row = new Row("c", "m", "s", Row.Better.LOWER, Map.of());
        Statistics subject = new Statistics(10, 9, 11);
        assertThat(Standing.judged(row, subject, new Statistics(12, 11, 13)))
                .isEqualTo(Standing.State.EQUAL);
        assertThat(Standing.judged(row, subject, new Statistics(8, 7, 9)))
                .isEqualTo(Standing.State.EQUAL);
        assertThat(Standing.judged(row, subject, new Statistics(12, 11.1, 13)))
                .isEqualTo(Standing.State.LEADS);
        assertThat(Standing.judged(row, subject, new Statistics(8, 7, 8.9)))
                .isEqualTo(Standing.State.LOSES);
    }

    @Test
    void figuresMayBeZero() {
        Statistics zero = Statistics.of(List.of(0.0));
        Statistics one = Statistics.of(List.of(1.0));
        Standing both = standing(Map.of("serval", zero, "jetty", zero)).getFirst();
        assertThat(both.ratio()).isEqualTo(1);
        assertThat(both.state()).isEqualTo(Standing.State.EQUAL);
        Standing own = standing(Map.of("serval", zero, "jetty", one)).getFirst();
        assertThat(own.ratio()).isZero();
        assertThat(own.state()).isEqualTo(Standing.State.LEADS);
        Standing other = standing(Map.of("serval", one, "jetty", zero)).getFirst();
        assertThat(other.ratio()).isInfinite();
        assertThat(other.ratioText()).isEqualTo("∞");
        assertThat(other.state()).isEqualTo(Standing.State.LOSES);
    }

    @Test
    void failureOfServalIsTheWorstLoss() {
        assertThat(standings.all().getFirst().state()).isEqualTo(Standing.State.FAILED);
        assertThat(standings.losses())
                .extracting(one -> one.row().cell())
                .contains("failing", "four-wide-words-with-hyphens")
                .doesNotContain("4k-keep-alive", "equal");
        List<Double> ratios =
                standings.losses().stream()
                        .filter(one -> one.state() == Standing.State.LOSES)
                        .map(Standing::ratio)
                        .toList();
        assertThat(ratios).isNotEmpty().isSortedAccordingTo((a, b) -> Double.compare(b, a));
    }

    @Test
    void floorAndEarlierBuildAreNoServers() {
        assertThat(standings.all()).extracting(Standing::best).doesNotContain("floor", "before");
    }

    @Test
    void servalWithOtherSettingsIsNoOtherServer() {
        Statistics one = Statistics.of(List.of(1.0));
        Statistics two = Statistics.of(List.of(2.0));
        Map<String, Statistics> figures = Map.of("serval", two, "serval-boringssl", one);
        assertThat(standing(figures)).isEmpty();
    }

    /// Four loads with three measures each, one of memory, two of overload. In the costs, Serval is
    /// behind nginx once and failed once; Jetty is always dearer.
    @Test
    void countsFirstPlaces() {
        Table counts = standings.counts();
        assertThat(counts.rows().get(1)).containsExactly("CPU per request", "4 of 5", "3 of 5");
        assertThat(counts.rows().getFirst().getFirst()).isEqualTo("all measures");
    }

    @Test
    void serverWithOtherSettingsIsAServerInJavaToo() {
        Row row =
                new Row(
                        "c",
                        "m",
                        "s",
                        Row.Better.LOWER,
                        Map.of(
                                "serval", Statistics.of(List.of(2.0)),
                                "jetty-virtual", Statistics.of(List.of(1.0)),
                                "nginx", Statistics.of(List.of(3.0))));
        List<Standing> one = Standings.standing("s", row, List.of("jetty"), List.of());
        assertThat(one.getFirst().amongJava()).isEqualTo(Standing.State.LOSES);
        List<Standing> none = Standings.standing("s", row, List.of("jett"), List.of());
        assertThat(none.getFirst().amongJava()).isEqualTo(Standing.State.ALONE);
    }

    @Test
    void rowWithoutServalOrWithoutOthersIsNoComparison() {
        Statistics one = Statistics.of(List.of(1.0));
        Statistics none = Statistics.of(List.of());
        assertThat(standing(Map.of("worker", one, "loop", one))).isEmpty();
        assertThat(standing(Map.of("serval", one, "floor", one, "before", one))).isEmpty();
        assertThat(standing(Map.of("serval", one, "nginx", none))).isEmpty();
        assertThat(standing(Map.of("serval", none, "nginx", one))).isEmpty();
        assertThat(standing(Map.of("serval", one, "nginx", one))).hasSize(1);
    }

    private static List<Standing> standing(Map<String, Statistics> values) {
        Row row = new Row("c", "m", "s", Row.Better.LOWER, values);
        return Standings.standing("s", row, List.of(), List.of());
    }
}
