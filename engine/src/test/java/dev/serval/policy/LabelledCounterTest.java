package dev.serval.policy;

import static dev.serval.policy.LabelledCounter.REFUSALS;
import static dev.serval.policy.LabelledCounter.REQUESTS_BY_ROUTE;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

final class LabelledCounterTest {
    private static final int MAX = REQUESTS_BY_ROUTE.valuesMax();

    private final Metrics metrics = new Metrics();
    private final Metrics.Column column = metrics.column();

    @Test
    void sumsEachValueOverAllColumns() {
        Metrics.Column other = metrics.column();
        other.count(REQUESTS_BY_ROUTE, "/b");
        column.count(REQUESTS_BY_ROUTE, "/a");
        column.count(REQUESTS_BY_ROUTE, "/b");
        assertThat(metrics.sums(REQUESTS_BY_ROUTE)).isEqualTo(Map.of("/a", 1L, "/b", 2L));
        assertThat(metrics.sums(REFUSALS)).isEmpty();
        assertThat(metrics.sum(Counter.BYTES_OUT)).isZero(); // the cells before these
    }

    @Test
    void countsValuesSeparatelyUpToItsLimit() {
        fill(MAX);
        assertThat(metrics.sums(REQUESTS_BY_ROUTE))
                .hasSize(MAX)
                .containsEntry("/" + (MAX - 1), 1L)
                .doesNotContainKey(LabelledCounter.OTHER);
    }

    @Test
    void countsValuesPastItsLimitTogether() {
        fill(MAX + 1);
        column.count(REQUESTS_BY_ROUTE, "/late");
        column.count(REQUESTS_BY_ROUTE, "/0");
        assertThat(metrics.sums(REQUESTS_BY_ROUTE))
                .hasSize(MAX + 1)
                .containsEntry(LabelledCounter.OTHER, 2L)
                .containsEntry("/" + (MAX - 1), 1L)
                .containsEntry("/0", 2L);
        assertThat(metrics.sums(REFUSALS)).isEmpty(); // the cells after these
    }

    @Test
    void valueNamedOtherCountsTogetherWithThem() {
        column.count(REQUESTS_BY_ROUTE, LabelledCounter.OTHER);
        fill(MAX);
        assertThat(metrics.sums(REQUESTS_BY_ROUTE))
                .hasSize(MAX + 1)
                .containsEntry(LabelledCounter.OTHER, 1L);
    }

    @Test
    void countsARefusalByItselfAndByItsReason() {
        column.refuse(Counter.REQUESTS_REFUSED_LIMIT);
        column.refuse(new ProtocolError(Status.BAD_REQUEST, "a NUL", "RFC 9110 §5.5"));
        assertThat(metrics.sum(Counter.REQUESTS_REFUSED_LIMIT)).isEqualTo(1);
        assertThat(metrics.sum(Counter.PROTOCOL_ERRORS)).isEqualTo(1);
        assertThat(metrics.sums(REFUSALS))
                .isEqualTo(Map.of("requests_refused_limit", 1L, "a NUL", 1L));
    }

    @Test
    void losesNoCountIfManyThreadsAddTheSameNewValues() throws InterruptedException {
        int threads = 4;
        int names = MAX + 50;
        CountDownLatch start = new CountDownLatch(threads);
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Metrics.Column own = metrics.column();
            running.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                start.countDown();
                                while (start.getCount() > 0) {
                                    Thread.onSpinWait();
                                }
                                for (int n = 0; n < names; n++) {
                                    own.count(REQUESTS_BY_ROUTE, "/" + n);
                                }
                            }));
        }
        for (Thread thread : running) {
            thread.join();
        }
        Map<String, Long> sums = metrics.sums(REQUESTS_BY_ROUTE);
        assertThat(sums).hasSize(MAX + 1);
        sums.forEach((value, sum) -> {
            boolean together = value.equals(LabelledCounter.OTHER);
            assertThat(sum).as(value).isEqualTo(together ? 50L * threads : threads);
        });
    }

    @Test
    void countingAllocatesNothingWithinAndPastTheLimit() {
        fill(MAX);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20; round++) { // the JVM itself allocates now and then
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 10_000; i++) {
                column.count(REQUESTS_BY_ROUTE, "/200");
                column.count(REQUESTS_BY_ROUTE, "/unknown");
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isZero();
        assertThat(metrics.sums(REQUESTS_BY_ROUTE)).containsEntry(LabelledCounter.OTHER, 200_000L);
    }

    private void fill(int values) {
        for (int i = 0; i < values; i++) {
            column.count(REQUESTS_BY_ROUTE, "/" + i);
        }
    }
}
