package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class IdealQueueTest {
    private final IdealQueue queue = new IdealQueue(10, 100);

    @Test
    void loneRequestTakesDemandAndDelay() {
        assertThat(queue.oneAfterAnother(new long[] {5, 50})).containsExactly(110, 110);
        assertThat(queue.shared(new long[] {5, 50})).containsExactly(110, 110);
    }

    @Test
    void requestWaitsForThoseBefore() {
        assertThat(queue.oneAfterAnother(new long[] {0, 0, 4})).containsExactly(110, 120, 126);
    }

    /// The first request has half of the CPU from 4 on: 4 alone, then 12 for the other 6. The second
    /// has had 6 by then, and needs 4 more alone.
    @Test
    void requestsShareTheCpuEqually() {
        assertThat(queue.shared(new long[] {0, 4})).containsExactly(116, 116);
        assertThat(queue.shared(new long[] {0, 0, 0})).containsExactly(130, 130, 130);
    }

    @Test
    void noneOfManyRequestsIsLost() {
        SplittableRandom random = new SplittableRandom(1);
        long[] arrivals = random.longs(5000, 0, 60_000).sorted().toArray();
        long[] alone = queue.oneAfterAnother(arrivals);
        long[] shared = queue.shared(arrivals);
        assertThat(Arrays.stream(alone)).allMatch(latency -> latency >= 110);
        assertThat(Arrays.stream(shared)).allMatch(latency -> latency >= 110);
        // Neither discipline leaves the CPU idle, so both end the last request at the same instant.
        assertThat(last(arrivals, shared)).isEqualTo(last(arrivals, alone));
        assertThat(Arrays.stream(alone).sum()).isLessThan(Arrays.stream(shared).sum());
    }

    private static long last(long[] arrivals, long[] latencies) {
        long last = 0;
        for (int i = 0; i < arrivals.length; i++) {
            last = Math.max(last, arrivals[i] + latencies[i]);
        }
        return last;
    }
}
