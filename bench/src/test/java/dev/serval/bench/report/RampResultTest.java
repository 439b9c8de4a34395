package dev.serval.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.serval.bench.report.RampResult.Beyond;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Judges made-up ramps of steps of a second.
final class RampResultTest {
    private static final double KEPT = 0.9;

    private static RampResult.Step step(double rate, double replies, long refused, long timeouts) {
        return step(rate, replies, refused, timeouts, false);
    }

    private static RampResult.Step step(
            double rate, double replies, long refused, long timeouts, boolean ofTheGenerator) {
        return new RampResult.Step(
                rate,
                rate,
                new RampResult.Replies(replies, replies, replies, 0),
                1.5,
                2.5,
                3.5,
                Map.of("503", refused, "timeout", timeouts),
                refused + timeouts,
                timeouts,
                0,
                ofTheGenerator,
                12.5,
                100,
                false);
    }

    private static RampResult.Server server(boolean crashed, RampResult.Step... steps) {
        return new RampResult.Server("serval", 1, List.of(steps), crashed, 1024, null);
    }

    private static Beyond beyond(RampResult.Step... steps) {
        return server(false, steps).beyond(KEPT);
    }

    private static RampResult of(RampResult.Server... servers) {
        return new RampResult(
                "static", "a page", "serval", KEPT, 9000, List.of(servers), List.of(), List.of());
    }

    @Test
    void highestRateMayFollowOneWithErrors() {
        RampResult.Server server =
                server(
                        false,
                        step(100, 100, 0, 0),
                        step(200, 199, 1, 0),
                        step(300, 300, 0, 0),
                        step(400, 300, 100, 0));
        assertThat(server.highest()).isEqualTo(300);
        assertThat(server.best().orElseThrow().p99Millis()).isEqualTo(3.5);
    }

    @Test
    void rateThatTheGeneratorDidNotMakeIsNone() {
        RampResult.Server server = server(false, step(100, 100, 0, 0), step(200, 150, 0, 0, true));
        assertThat(server.highest()).isEqualTo(100);
        assertThat(server.beyond(KEPT)).isEqualTo(Beyond.NOT_REACHED);
    }

    @Test
    void serverThatDoesNotKeepUpHasAnError() {
        assertThat(server(false, step(100, 90, 0, 0)).highest()).isEqualTo(100);
        assertThat(server(false, step(100, 89.9, 0, 0)).highest()).isZero();
        assertThat(step(100, 89.9, 0, 0).tooMuch()).isTrue();
        assertThat(step(100, 90, 0, 0).tooMuch()).isFalse();
        assertThat(step(100, 50, 50, 0, true).tooMuch()).isFalse();
    }

    @Test
    void serverWhoseQueueGrowsIsStableUntilItsRepliesFall() {
        assertThat(beyond(step(100, 100, 0, 0), step(200, 100, 0, 0))).isEqualTo(Beyond.STABLE);
        assertThat(beyond(step(100, 100, 0, 0), step(200, 80, 0, 0))).isEqualTo(Beyond.COLLAPSES);
    }

    @Test
    void stableServerFailsAtMostOneInAHundred() {
        assertThat(beyond(step(100, 100, 0, 0), step(200, 198, 2, 0))).isEqualTo(Beyond.STABLE);
        assertThat(beyond(step(100, 100, 0, 0), step(200, 198, 0, 2))).isEqualTo(Beyond.STABLE);
        assertThat(beyond(step(100, 100, 0, 0), step(200, 197, 3, 0))).isEqualTo(Beyond.REFUSES);
    }

    @Test
    void refusingServerKeepsItsReplyRate() {
        assertThat(beyond(step(100, 100, 0, 0), step(200, 90, 110, 0))).isEqualTo(Beyond.REFUSES);
        assertThat(beyond(step(100, 100, 0, 0), step(200, 89, 111, 0))).isEqualTo(Beyond.COLLAPSES);
    }

    @Test
    void serverTimesOutIfHalfOfTheFailuresAreTimeouts() {
        assertThat(beyond(step(100, 100, 0, 0), step(200, 100, 51, 49))).isEqualTo(Beyond.REFUSES);
        assertThat(beyond(step(100, 100, 0, 0), step(200, 100, 50, 50)))
                .isEqualTo(Beyond.TIMES_OUT);
        assertThat(beyond(step(100, 100, 0, 0), step(200, 10, 0, 190))).isEqualTo(Beyond.TIMES_OUT);
    }

    @Test
    void everyStepBeyondCounts() {
        assertThat(beyond(step(100, 100, 0, 0), step(200, 50, 150, 0), step(400, 100, 300, 0)))
                .isEqualTo(Beyond.COLLAPSES);
    }

    @Test
    void serverThatHasEndedCrashes() {
        assertThat(server(true, step(100, 100, 0, 0)).beyond(KEPT)).isEqualTo(Beyond.CRASHES);
    }

    @Test
    void serverWithoutAStepFreeOfErrorsHasNoHighestRate() {
        RampResult.Server server = server(false, step(100, 50, 50, 0));
        assertThat(server.highest()).isZero();
        assertThat(server.best()).isEmpty();
        assertThat(server.beyond(KEPT)).isEqualTo(Beyond.REFUSES);
    }

    @Test
    void gateComparesRepliesFromTwiceTheHighestRate() {
        RampResult.Step right = step(100, 100, 0, 0);
        RampResult.Step below = step(199, 50, 149, 0);
        assertThat(of(server(false, right, below)).verdict()).isEqualTo(Verdict.NONE);
        assertThat(of(server(false, right, below, step(200, 90, 110, 0))).verdict())
                .isEqualTo(Verdict.PASS);
        assertThat(of(server(false, right, below, step(200, 89, 111, 0))).verdict())
                .isEqualTo(Verdict.FAIL);
    }

    @Test
    void crashAndFailureOfTheSubjectFail() {
        assertThat(of(server(true, step(100, 100, 0, 0))).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(of(failed("serval", "no start")).verdict()).isEqualTo(Verdict.FAIL);
        assertThat(of(failed("nginx", "no start")).verdict()).isEqualTo(Verdict.NONE);
    }

    private static RampResult.Server failed(String peer, @Nullable String why) {
        return new RampResult.Server(peer, 1, List.of(), false, 0, why);
    }

    @Test
    void repliesHaveTheSpreadOfTheirPieces() {
        RampResult.Replies replies = RampResult.Replies.of(new double[] {10, 20, 30});
        assertThat(replies.min()).isEqualTo(10);
        assertThat(replies.mean()).isEqualTo(20);
        assertThat(replies.max()).isEqualTo(30);
        assertThat(replies.deviation()).isEqualTo(10, offset(1e-9));
    }

    @Test
    void rowsSayWhatTheGeneratorLimits() {
        RampResult free = of(server(false, step(100, 100, 0, 0), step(200, 100, 100, 0)));
        assertThat(free.rows()).extracting(Row::cell).containsOnly("static");
        Row highest = free.rows().getFirst();
        assertThat(highest.better()).isEqualTo(Row.Better.HIGHER);
        assertThat(highest.values()).containsEntry("serval", new Statistics(100, 100, 100));
        RampResult limited = of(server(false, step(100, 100, 0, 0)));
        assertThat(limited.rows())
                .extracting(Row::cell)
                .containsOnly("static, some limited by the generator");
    }

    private static RampResult.Server named(String name, RampResult.Step... steps) {
        return new RampResult.Server(name, 1, List.of(steps), false, 1024, null);
    }

    @Test
    void latencyAndCostAreComparedAtTheHighestRateThatTheSubjectSharesWithAnother() {
        RampResult.Step low = step(100, 100, 0, 0);
        RampResult.Step middle = step(200, 200, 0, 0);
        RampResult.Step high = step(300, 300, 0, 0);
        RampResult result =
                of(
                        named("serval", low, middle, high),
                        named("tomcat", low, middle, step(300, 250, 50, 0)),
                        named("jetty", low, step(200, 100, 0, 0)));
        assertThat(result.rows())
                .extracting(Row::measure)
                .containsExactly(
                        "highest rate without an error",
                        "p99 at 200/s",
                        "CPU per request at 200/s");
        for (Row row : result.rows().subList(1, 3)) {
            assertThat(row.values()).containsOnlyKeys("serval", "tomcat");
        }
        assertThat(of(named("serval", high), named("tomcat", low)).rows()).hasSize(1);
    }

    @Test
    void highestRateIsABoundIfTheServerWasNotAtItsEnd() {
        RampResult result =
                of(
                        named("serval", step(100, 100, 0, 0)),
                        named("jetty", step(100, 100, 0, 0), step(200, 100, 50, 0)));
        assertThat(result.rows().getFirst().values())
                .containsEntry("serval", Statistics.atLeast(100))
                .containsEntry("jetty", Statistics.one(100));
    }

    /// Files of earlier versions have 0.5 for sessions.
    @Test
    void gateAndWordHaveTheSameShareInOldResults() {
        RampResult.Server server = server(false, step(100, 100, 0, 0), step(200, 60, 0, 0));
        RampResult old =
                new RampResult(
                        "stay", "", "serval", 0.5, 9000, List.of(server), List.of(), List.of());
        assertThat(old.verdict()).isEqualTo(Verdict.FAIL);
        assertThat(old.tables().values().iterator().next().rows().getFirst())
                .contains("collapses", "≥ 0.90 fail");
    }

    @Test
    void chartsHaveALineForEachServerThatWasMeasured() {
        RampResult result =
                of(
                        server(false, step(100, 100, 0, 0), step(200, 150, 50, 0)),
                        failed("nginx", "no start"));
        Chart replies = result.charts().getFirst();
        assertThat(replies.y().logarithmic()).isFalse();
        assertThat(replies.lines()).hasSize(1);
        assertThat(replies.lines().getFirst().points())
                .containsExactly(new Chart.Point(100, 100), new Chart.Point(200, 150));
        assertThat(result.charts().getLast().y().logarithmic()).isTrue();
    }

    @Test
    void tablesHaveServersAndRates() {
        RampResult result =
                of(
                        server(
                                false,
                                step(100, 100, 0, 0),
                                step(200, 150, 50, 0),
                                step(400, 300, 0, 0, true)),
                        failed("nginx", "no start"));
        List<Table> tables = List.copyOf(result.tables().values());
        assertThat(tables.getFirst().rows().getFirst())
                .startsWith("serval", "100", "1.50", "2.50", "3.50", "12.5")
                .contains("refuses", "100 (1024)");
        assertThat(tables.getFirst().rows().getLast()).contains("nginx", "failed");
        assertThat(tables.getLast().rows())
                .containsExactly(
                        List.of("100", "100", "–"),
                        List.of("200", "150 (25.0)", "–"),
                        List.of("400", "g300", "–"));
        assertThat(result.gaps()).containsExactly(Gap.failed("static", "nginx", "no start"));
    }

    @Test
    void rateIsAtLeastThatIfNoLimitWasFound() {
        RampResult result = of(server(false, step(100, 100, 0, 0)));
        assertThat(result.tables().values().iterator().next().rows().getFirst())
                .startsWith("serval", "≥ 100")
                .contains("not reached");
        RampResult late = of(server(false, step(100, 100, 0, 0, true)));
        assertThat(late.tables().values().iterator().next().rows().getFirst())
                .startsWith("serval", "–");
    }

    @Test
    void saysThatDescriptorsRanOut() {
        RampResult.Server server =
                new RampResult.Server("serval", 1, List.of(step(100, 100, 0, 0)), false, 100, null);
        assertThat(of(server).remarks()).contains("static, serval: had no descriptor left");
        RampResult.Server between =
                new RampResult.Server("serval", 1, List.of(step(100, 100, 0, 0)), false, 116, null);
        assertThat(of(between).remarks()).contains("static, serval: had no descriptor left");
        assertThat(of(server(false, step(100, 100, 0, 0))).remarks())
                .noneMatch(remark -> remark.contains("no descriptor"));
    }
}
