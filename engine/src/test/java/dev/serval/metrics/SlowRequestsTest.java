package dev.serval.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class SlowRequestsTest {
    private static final long MILLI = 1_000_000;
    private static final long MIN = SlowRequests.LEAST_NANOS;

    private final SlowRequests slow = new SlowRequests();

    @Test
    void takesOnlyWhatIsSlow() {
        offer(MIN - 1, 0);
        assertThat(slow.read()).isEmpty();
        offer(MIN, 0);
        assertThat(totals()).containsExactly(MIN);
    }

    @Test
    void keepsTheSlowestOfAPeriod() {
        LongStream.range(0, 100).forEach(i -> offer(MIN + (i * 37 % 100) * MILLI, i));
        assertThat(totals())
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(84, 100).mapToObj(i -> MIN + i * MILLI).toList());
    }

    @Test
    void equallySlowRequestDoesNotReplaceAnother() {
        LongStream.range(0, SlowRequests.MAX).forEach(i -> offer(MIN, i));
        assertThat(slow.takes(MIN, 1)).isFalse();
        assertThat(slow.takes(MIN + 1, 1)).isTrue();
    }

    @Test
    void keepsThePeriodBeforeAndForgetsOlderOnes() {
        offer(100 * MILLI, 0);
        offer(90 * MILLI, 0);
        offer(20 * MILLI, SlowRequests.PERIOD_NANOS);
        assertThat(totals()).containsExactlyInAnyOrder(100 * MILLI, 90 * MILLI, 20 * MILLI);
        offer(30 * MILLI, 2 * SlowRequests.PERIOD_NANOS);
        assertThat(totals()).containsExactlyInAnyOrder(20 * MILLI, 30 * MILLI);
    }

    @Test
    void newPeriodTakesWhatTheOldOneHadNoRoomFor() {
        LongStream.range(0, SlowRequests.MAX).forEach(i -> offer(100 * MILLI, i));
        assertThat(slow.takes(MIN, 1)).isFalse();
        assertThat(slow.takes(MIN, SlowRequests.PERIOD_NANOS)).isTrue();
        offer(MIN, SlowRequests.PERIOD_NANOS);
        assertThat(totals()).hasSize(SlowRequests.MAX + 1).contains(MIN);
    }

    @Test
    void namesThePhaseInWhichTheTimeWent() {
        assertThat(request(MIN, 0, 3, 2, 1).longest()).isEqualTo(RequestPhase.QUEUE);
        assertThat(request(MIN, 0, 1, 2, 3).longest()).isEqualTo(RequestPhase.WRITE);
        assertThat(request(MIN, 4, 1, 2, 3).longest()).isEqualTo(RequestPhase.HEAD);
        assertThat(request(MIN, 0, 0, 0, 0).longest()).isEqualTo(RequestPhase.HANDLER);
    }

    private void offer(long total, long now) {
        if (slow.takes(total, now)) {
            slow.add(request(total, 0, 0, total, 0), now);
        }
    }

    private static SlowRequest request(
            long total, long head, long queue, long handler, long write) {
        return new SlowRequest("GET /", "/", 200, 0, total, head, queue, handler, write);
    }

    private List<Long> totals() {
        return slow.read().stream().map(SlowRequest::totalNanos).toList();
    }
}
