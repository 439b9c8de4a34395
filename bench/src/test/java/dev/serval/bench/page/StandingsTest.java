package dev.serval.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.report.BurstResult;
import dev.serval.bench.report.Row;
import dev.serval.bench.report.Samples;
import dev.serval.bench.report.Statistics;
import dev.serval.bench.report.Table;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
        List<Standing> one = standing(row, "jetty");
        assertThat(one.getFirst().amongJava()).isEqualTo(Standing.State.LOSES);
        List<Standing> none = standing(row, "jett");
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
        return standing(row, "none");
    }

    private static List<Standing> standing(Row row, String java) {
        return Standings.standing("s", row, _ -> row, List.of(java), false);
    }

    private static Standing rate(Statistics own, Map<String, Statistics> others) {
        Map<String, Statistics> values = new TreeMap<>(others);
        values.put("serval", own);
        Row row = new Row("c", "m", "1/s", Row.Better.HIGHER, values);
        return standing(row, "jetty").getFirst();
    }

    @Test
    void lowerBoundThatSeemsWorseIsNeitherLossNorLead() {
        Statistics low = Statistics.one(100);
        Statistics high = Statistics.one(200);
        Statistics lowBound = Statistics.atLeast(100);
        Statistics highBound = Statistics.atLeast(200);
        assertThat(rate(lowBound, Map.of("jetty", high)).state())
                .isEqualTo(Standing.State.UNDECIDED);
        assertThat(rate(high, Map.of("jetty", lowBound)).state())
                .isEqualTo(Standing.State.UNDECIDED);
        assertThat(rate(lowBound, Map.of("jetty", lowBound)).state())
                .isEqualTo(Standing.State.UNDECIDED);
        assertThat(rate(low, Map.of("jetty", highBound)).state()).isEqualTo(Standing.State.LOSES);
        assertThat(rate(highBound, Map.of("jetty", low)).state()).isEqualTo(Standing.State.LEADS);
        assertThat(lowBound.text(String::valueOf)).isEqualTo("≥ 100.0");
    }

    /// Its own CPU is cheaper, but it leaves more to the client than the slower server does.
    @Test
    void eachServerIsComparedInARowOfItsOwn() {
        Statistics one = Statistics.one(10);
        Row row =
                new Row(
                        "c",
                        "CPU per request",
                        "µs",
                        Row.Better.LOWER,
                        Map.of("serval", one, "jetty", Statistics.one(11), "nginx", one));
        Row both =
                new Row(
                        "c, both processors",
                        "CPU per request",
                        "µs",
                        Row.Better.LOWER,
                        Map.of("serval", Statistics.one(30), "jetty", Statistics.one(20)));
        Standing standing =
                Standings.standing(
                                "s",
                                row,
                                peer -> peer.equals("jetty") ? both : row,
                                List.of("jetty"),
                                false)
                        .getFirst();
        assertThat(standing.label()).isEqualTo("s c, both processors: CPU per request");
        assertThat(standing.best()).isEqualTo("jetty");
        assertThat(standing.ratio()).isEqualTo(1.5);
        assertThat(standing.state()).isEqualTo(Standing.State.LOSES);
    }

    @Test
    void bothProcessorsCountWhereServalAnswersMore() {
        BurstResult burst =
                new BurstResult(
                        "2k",
                        "a file",
                        "serval",
                        List.of(burst("serval", 200, 30), burst("nginx", 100, 5)),
                        List.of(),
                        List.of());
        assertThat(Standings.of(List.of(Samples.report("", List.of(burst)))).losses())
                .extracting(Standing::label)
                .containsExactly("sample 2k, both processors: CPU per request");
    }

    private static BurstResult.Server burst(String peer, double rate, double client) {
        BurstResult.Run run = new BurstResult.Run(rate, 1, 0, 0, 10, client, false);
        return new BurstResult.Server(peer, List.of(run), null);
    }

    /// The server with the best figure has a range that overlaps with Serval's.
    @Test
    void servalLosesToAServerThatIsBetterBeyondTheSpread() {
        Statistics own = new Statistics(100, 98, 102);
        Statistics wild = new Statistics(150, 90, 200);
        Standing one = rate(own, Map.of("jetty", wild, "nginx", new Statistics(120, 119, 121)));
        assertThat(one.state()).isEqualTo(Standing.State.LOSES);
        assertThat(one.best()).isEqualTo("nginx");
        assertThat(one.ratio()).isEqualTo(1.2);
        assertThat(one.amongJava()).isEqualTo(Standing.State.EQUAL);
    }

    @Test
    void servalDoesNotLeadIfItOverlapsWithAServerThatIsNotTheBest() {
        Statistics own = new Statistics(100, 98, 102);
        Statistics wild = new Statistics(80, 60, 99);
        Standing one = rate(own, Map.of("jetty", wild, "nginx", new Statistics(90, 89, 91)));
        assertThat(one.state()).isEqualTo(Standing.State.EQUAL);
        assertThat(one.best()).isEqualTo("jetty");
    }

    @Test
    void servalDoesNotLeadIfAnotherServerMayBeBetter() {
        Statistics own = Statistics.one(200);
        Map<String, Statistics> others =
                Map.of("jetty", Statistics.one(150), "nginx", Statistics.atLeast(100));
        Standing one = rate(own, others);
        assertThat(one.best()).isEqualTo("nginx");
        assertThat(one.state()).isEqualTo(Standing.State.UNDECIDED);
        assertThat(one.amongJava()).isEqualTo(Standing.State.LEADS);
        assertThat(rate(Statistics.one(120), others).state()).isEqualTo(Standing.State.LOSES);
    }

    @Test
    void undecidedMeasuresAreNotCounted() {
        Statistics bound = Statistics.atLeast(100);
        Standings two =
                new Standings(
                        List.of(
                                rate(Statistics.one(200), Map.of("jetty", Statistics.one(100))),
                                rate(bound, Map.of("jetty", bound))));
        assertThat(two.counts().rows().getFirst())
                .containsExactly("all measures", "1 of 1", "1 of 1");
        assertThat(two.losses()).isEmpty();
        assertThat(Summary.sentences(two).getFirst())
                .startsWith("Of 1 measures, Serval leads in 1,");
        assertThat(Standings.table(two.all()).rows().getLast()).contains("undecided", "≥ 100");
        assertThat(DotPlot.alone(two)).contains("in 1 measures");
    }
}
