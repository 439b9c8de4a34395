package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.ProtocolCell;
import dev.serval.bench.scenario.Scenario;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

public final class LoadResultTest {
    private static final LoadResult.Comparison COMPARISON =
            new LoadResult.Comparison("ours", List.of("dear", "cheap"), "dear");

    @Test
    void comparesMedianWithTheCheapestReference() {
        LoadResult result = result(new Gate(0.85, 0.75, 0), rounds("ours", 8, 7, 90));
        assertThat(result.reference()).isEqualTo("cheap");
        assertThat(result.ratio()).isEqualTo(0.8);
        assertThat(result.floorRatio()).isEqualTo(0.67);
        assertThat(result.verdict()).isEqualTo(Verdict.PASS);
        assertThat(result.aimVerdict()).isEqualTo(Verdict.MISS);
    }

    @Test
    void loadsByHttperfAreOpen() throws IOException {
        for (Cell cell : Scenario.named("httperf").cells()) {
            if (cell instanceof ProtocolCell protocol) {
                LoadResult result =
                        LoadResult.of(
                                cell.name(),
                                cell.title(),
                                new Gate(1, 1, 0),
                                COMPARISON,
                                List.of(),
                                List.of());
                assertThat(result.model() == CellResult.Model.OPEN)
                        .as(cell.name())
                        .isEqualTo(protocol.client() == Cell.ClientKind.HTTPERF);
            }
        }
    }

    @Test
    void failsAboveTheGate() {
        LoadResult result = result(new Gate(0.85, 0.75, 0), rounds("ours", 9, 9, 9));
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void failsWithTooFewBytesPerSecond() {
        LoadResult result = result(new Gate(0.85, 0.75, 1.01), rounds("ours", 1, 1, 1));
        assertThat(result.bytesRatio()).isEqualTo(1.0);
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.aimVerdict()).isEqualTo(Verdict.PASS);
    }

    @Test
    void oneErrorFailsTheSubject() {
        Round wrong = round("ours", Round.Phase.WARM_UP, 1, 1, false);
        List<Round> rounds = List.of(wrong, round("ours", Round.Phase.MEASURED, 1, 0, false));
        LoadResult result = result(new Gate(0.85, 0.75, 0), rounds);
        assertThat(result.figures().getFirst().failure()).isEqualTo("1 errors");
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.ratio()).isNaN();
    }

    @Test
    void countsOnlyQuietRoundsIfThereAreEnough() {
        List<Round> rounds =
                List.of(
                        round("x", Round.Phase.WARM_UP, 100, 0, false),
                        round("x", Round.Phase.MEASURED, 50, 0, true),
                        round("x", Round.Phase.MEASURED, 10, 0, false),
                        round("x", Round.Phase.MEASURED, 12, 0, false));
        Figures enough = Figures.of("x", rounds, 2, true);
        assertThat(enough.cpuMicros()).isEqualTo(new Statistics(11, 10, 12));
        assertThat(enough.disturbed()).isFalse();
        Figures wanting = Figures.of("x", rounds, 3, true);
        assertThat(wanting.cpuMicros()).isEqualTo(new Statistics(12, 10, 50));
        assertThat(wanting.disturbed()).isTrue();
    }

    @Test
    void failsIfTheWholeIntervalIsAboveThatOfTheEarlierBuild() {
        LoadResult result = result(new Gate(0.85, 0.75, 0), rounds("ours", 8, 8, 8));
        assertThat(result.with(before(1.031)).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(result.with(before(1.03)).verdict()).isEqualTo(Verdict.PASS);
    }

    /// Returns a comparison whose interval begins here.
    public static BeforeResult before(double low) {
        return new BeforeResult("ours", List.of(1.04), 1.03, 1.04, low, 1.05);
    }

    @Test
    void hasNoVerdictWithoutAReference() {
        Figures ours = Figures.of("ours", rounds("ours", 1, 1, 1), 3, true);
        LoadResult result =
                LoadResult.of("c", "c", new Gate(1, 1, 0), COMPARISON, List.of(ours), List.of());
        assertThat(result.verdict()).isEqualTo(Verdict.NONE);
        assertThat(result.aimVerdict()).isEqualTo(Verdict.NONE);
    }

    /// A server that hangs may need less than a tick of the kernel's count in a round.
    @Test
    void serverThatNeedsNoMeasurableCpuHasNoCostAndIsNoReference() {
        List<Figures> figures =
                List.of(
                        Figures.of("ours", rounds("ours", 8, 8, 8), 3, true),
                        Figures.of("dear", rounds("dear", 10, 10, 10), 3, true),
                        Figures.of("cheap", rounds("cheap", 0, 0, 667), 3, true));
        List<Round> hanging = rounds("cheap", 0, 0, 667);
        LoadResult result =
                LoadResult.of("c", "c", new Gate(0.85, 0.75, 0), COMPARISON, figures, hanging);
        assertThat(result.reference()).isEqualTo("dear");
        assertThat(result.rows().getFirst().values()).doesNotContainKey("cheap");
        List<Figures> alone = List.of(figures.getFirst(), figures.getLast());
        LoadResult without =
                LoadResult.of("c", "c", new Gate(0.85, 0.75, 0), COMPARISON, alone, hanging);
        assertThat(without.reference()).isNull();
        assertThat(without.ratio()).isNaN();
        assertThat(without.verdict()).isEqualTo(Verdict.NONE);
        assertThat(without.aimVerdict()).isEqualTo(Verdict.NONE);
    }

    private static List<Round> costs(String peer, long requests, double client) {
        return List.of(
                new Round(
                        peer,
                        Round.Phase.MEASURED,
                        1,
                        3000,
                        requests,
                        0,
                        0,
                        10_000 * requests,
                        client * 1000 * requests,
                        0,
                        0,
                        false));
    }

    @Test
    void costOfBothProcessorsCountsAgainstAServerThatAnswersLess() {
        List<Round> rounds = new ArrayList<>();
        List<Figures> figures = new ArrayList<>();
        for (List<Round> own :
                List.of(
                        costs("ours", 2000, 30),
                        costs("slow", 1000, 5),
                        costs("fast", 3000, 5),
                        costs("old", 1000, Double.NaN))) {
            rounds.addAll(own);
            figures.add(Figures.of(own.getFirst().peer(), own, 1, true));
        }
        LoadResult result = LoadResult.of("c", "c", Gate.NONE, COMPARISON, figures, rounds);
        Row cost = result.rows().getFirst();
        Row both = result.against(cost, "ours", "slow");
        assertThat(both.cell()).isEqualTo("c, both processors");
        assertThat(both.measure()).isEqualTo(cost.measure());
        assertThat(both.values())
                .containsEntry("ours", Statistics.one(40))
                .containsEntry("slow", Statistics.one(15));
        for (String peer : List.of("fast", "old")) {
            assertThat(result.against(cost, "ours", peer)).as(peer).isEqualTo(cost);
        }
        Row rate = result.rows().get(1);
        assertThat(result.against(rate, "ours", "slow")).isEqualTo(rate);
        assertThat(result.clientMicros()).containsOnlyKeys("ours", "slow", "fast");
    }

    @Test
    void roundsWithHardlyAnAnswerAreVoid() {
        Figures hung = Figures.of("ours", costs("ours", 49, 0), 1, true);
        Figures slow = Figures.of("cheap", costs("cheap", 50, 0), 1, true);
        List<Figures> both = List.of(hung, slow);
        LoadResult result = LoadResult.of("c", "c", Gate.NONE, COMPARISON, both, List.of());
        assertThat(result.gaps())
                .extracting(gap -> gap.peer() + " " + gap.text())
                .containsExactly(
                        "ours failed: only 49.0 requests per second, because its clients wait and it"
                                + " does nothing");
        assertThat(result.verdict()).isEqualTo(Verdict.FAIL);
        LoadResult planned =
                LoadResult.of(
                        "c", "49 a second by httperf", Gate.NONE, COMPARISON, both, List.of());
        assertThat(planned.gaps()).isEmpty();
    }

    private static LoadResult result(Gate gate, List<Round> ours) {
        List<Figures> figures =
                List.of(
                        Figures.of("ours", ours, 1, true),
                        Figures.of("dear", rounds("dear", 12, 12, 12), 3, true),
                        Figures.of("cheap", rounds("cheap", 10, 10, 10), 3, true));
        return LoadResult.of("c", "c", gate, COMPARISON, figures, ours);
    }

    /// Returns three measured rounds.
    public static List<Round> rounds(String peer, double first, double second, double third) {
        return List.of(
                round(peer, Round.Phase.MEASURED, first, 0, false),
                round(peer, Round.Phase.MEASURED, second, 0, false),
                round(peer, Round.Phase.MEASURED, third, 0, false));
    }

    private static Round round(
            String peer, Round.Phase phase, double micros, long errors, boolean disturbed) {
        long requests = 1000;
        long cpuNanos = (long) (micros * 1000 * requests);
        return new Round(
                peer,
                phase,
                2.0,
                3000,
                requests,
                4_096_000,
                errors,
                cpuNanos,
                Double.NaN, // as in files of earlier versions
                0.01,
                0,
                disturbed);
    }
}
