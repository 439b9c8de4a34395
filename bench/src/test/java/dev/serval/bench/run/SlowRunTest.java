package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.scenario.Cell;
import dev.serval.bench.scenario.Scenario;
import dev.serval.bench.scenario.Settings;
import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SlowRunTest {
    private static final long MILLI = 1_000_000;

    @Test
    void shortRunHasFewerRoundsAndAtLeastOne() throws IOException {
        Cell.Slow cell =
                Scenario.named("servlet").cells().stream()
                        .filter(Cell.Slow.class::isInstance)
                        .map(Cell.Slow.class::cast)
                        .findFirst()
                        .orElseThrow();
        assertThat(SlowRun.rounds(cell, Settings.FULL)).isEqualTo(3);
        assertThat(SlowRun.rounds(cell, Settings.SHORT)).isEqualTo(2);
        assertThat(SlowRun.rounds(cell, Settings.QUICK)).isEqualTo(1);
        assertThat(SlowRun.rounds(cell, Settings.QUICK.withRounds(1))).isEqualTo(1);
    }

    @Test
    void percentileIsThatOfTheLaterRequests() {
        long[] sent = LongStream.range(0, 200).toArray();
        long[] latencies = LongStream.range(0, 200).map(i -> (200 - i) * MILLI).toArray();
        // The later hundred have 1 to 100 ms.
        assertThat(SlowRun.percentile(99, 100, sent, latencies)).isEqualTo(99);
        assertThat(SlowRun.percentile(50, 100, sent, latencies)).isEqualTo(50);
        assertThat(SlowRun.percentile(99, 199, sent, latencies)).isEqualTo(1);
    }

    @Test
    void failsWithoutRequests() {
        assertThatThrownBy(() -> SlowRun.percentile(99, 9, new long[] {8}, new long[] {1}))
                .isInstanceOf(BenchFailure.class);
    }
}
