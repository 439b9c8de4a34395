package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class BurstResultTest {
    private static BurstResult.Run run(double rate, long failed, long unkept) {
        return new BurstResult.Run(rate, 2.5, failed, unkept, 10, Double.NaN, unkept > 0);
    }

    private static BurstResult of(@Nullable String failure, BurstResult.Run... runs) {
        return new BurstResult(
                "2k",
                "a file",
                "serval",
                List.of(new BurstResult.Server("serval", List.of(runs), failure)),
                List.of(),
                List.of("2 runs"));
    }

    @Test
    void failedOrUnkeptRequestsFailTheCell() {
        assertThat(of(null, run(100, 0, 0)).verdict()).isEqualTo(Verdict.PASS);
        assertThat(of(null, run(100, 0, 0), run(100, 1, 0)).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(of(null, run(100, 0, 1)).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(of("no start").verdict()).isEqualTo(Verdict.FAIL);
    }

    @Test
    void meanAndDeviationAreOfTheRuns() {
        BurstResult.Server server =
                of(null, run(10, 0, 0), run(20, 0, 0), run(30, 0, 0)).servers().getFirst();
        assertThat(server.mean(BurstResult.Run::rate)).isEqualTo(20);
        assertThat(server.deviation(BurstResult.Run::rate)).isEqualTo(10, offset(1e-9));
    }

    @Test
    void costOfBothProcessorsCountsAgainstAServerThatAnswersLess() {
        BurstResult result =
                new BurstResult(
                        "2k",
                        "a file",
                        "serval",
                        List.of(
                                new BurstResult.Server("serval", List.of(costs(200, 30)), null),
                                new BurstResult.Server("slow", List.of(costs(100, 5)), null),
                                new BurstResult.Server("fast", List.of(costs(300, 5)), null)),
                        List.of(),
                        List.of());
        Row cost = result.rows().getFirst();
        Row both = result.against(cost, "serval", "slow");
        assertThat(both.cell()).isEqualTo("2k, both processors");
        assertThat(both.values())
                .containsEntry("serval", Statistics.one(40))
                .containsEntry("slow", Statistics.one(15));
        assertThat(result.against(cost, "serval", "fast")).isEqualTo(cost);
        Row rate = result.rows().getLast();
        assertThat(result.against(rate, "serval", "slow")).isEqualTo(rate);
        assertThat(result.tables().values().iterator().next().rows().getFirst()).endsWith("30.00");
    }

    private static BurstResult.Run costs(double rate, double client) {
        return new BurstResult.Run(rate, 2.5, 0, 0, 10, client, false);
    }

    @Test
    void costIsTheMeanAndItsSpreadThatOfTenRuns() {
        List<BurstResult.Run> runs = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            // The kernel's clock has steps of 10 µs per request: 5 µs are 0 or 10.
            runs.add(
                    new BurstResult.Run(100, 1, 0, 0, i % 2 == 0 ? 0 : i < 10 ? 10 : 20, 7, false));
        }
        assertThat(new BurstResult.Server("nginx", runs, null).cpuMicros())
                .isEqualTo(new Statistics(7.5, 5, 10));
    }

    /// Thirteen runs, as for the largest file: the last three are in it, too.
    @Test
    void spreadHasEveryTenRunsInARowAndTheMean() {
        List<BurstResult.Run> runs = new ArrayList<>();
        for (int i = 0; i < 13; i++) {
            runs.add(new BurstResult.Run(100, 1, 0, 0, i < 10 ? 10 : 36, 7, false));
        }
        Statistics cost = new BurstResult.Server("nginx", runs, null).cpuMicros();
        assertThat(cost.median()).isEqualTo(16, offset(1e-9));
        assertThat(cost.min()).isEqualTo(10);
        assertThat(cost.max()).isEqualTo(17.8, offset(1e-9));
        BurstResult.Server early = new BurstResult.Server("nginx", runs.reversed(), null);
        assertThat(early.cpuMicros().max()).isEqualTo(17.8, offset(1e-9));
        runs.addFirst(new BurstResult.Run(100, 1, 0, 0, 0, 7, false));
        BurstResult.Server few = new BurstResult.Server("nginx", runs.subList(0, 9), null);
        assertThat(few.cpuMicros().min()).isEqualTo(few.cpuMicros().median());
    }

    @Test
    void tableAndNotesHaveEachServer() {
        BurstResult result = of(null, run(10, 2, 3), run(20, 0, 0));
        assertThat(result.tables().values().iterator().next().rows())
                .containsExactly(
                        List.of(
                                "serval",
                                "2",
                                "15",
                                "7",
                                "2.50",
                                "2",
                                "3",
                                "10.0 (10.0–10.0)",
                                "–"));
        assertThat(result.remarks())
                .containsExactly(
                        "2k, serval: other programs disturbed 1 of 2 runs, which count",
                        "2k: 2 runs");
        assertThat(of("no start").gaps()).containsExactly(Gap.failed("2k", "serval", "no start"));
    }

    @Test
    void rowsHaveCostAndRate() {
        List<Row> rows = of(null, run(10, 0, 0), run(20, 0, 0)).rows();
        assertThat(rows).extracting(Row::measure).contains("CPU per request");
        assertThat(rows.getLast().values()).containsEntry("serval", new Statistics(15, 10, 20));
        assertThat(of("no start").rows().getFirst().values()).isEmpty();
    }
}
