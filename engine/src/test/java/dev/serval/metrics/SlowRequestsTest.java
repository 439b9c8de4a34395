package dev.serval.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class SlowRequestsTest {
    private static final long MILLI = 1_000_000;
    private static final long MIN = SlowRequests.LEAST_NANOS;
    private static final int MAX = SlowRequests.MAX;

    private final SlowRequests slow = new SlowRequests();
    private long groups;

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
                        LongStream.range(100 - MAX, 100).mapToObj(i -> MIN + i * MILLI).toList());
    }

    @Test
    void keepsTheSlowestOfAGroup() {
        LongStream.range(0, 100).forEach(i -> offer(1, MIN + (i * 37 % 100) * MILLI, i));
        assertThat(totals())
                .containsExactlyInAnyOrder(MIN + 97 * MILLI, MIN + 98 * MILLI, MIN + 99 * MILLI);
    }

    @Test
    void slowPageDoesNotHideOthers() {
        LongStream.range(0, 2L * MAX).forEach(i -> offer(1, 1_000 * MILLI + i, i));
        offer(2, MIN, 0);
        assertThat(totals()).hasSize(SlowRequests.OF_GROUP_MAX + 1).contains(MIN);
    }

    @Test
    void equallySlowRequestDoesNotReplaceAnother() {
        LongStream.range(0, MAX).forEach(i -> offer(MIN, i));
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
        LongStream.range(0, MAX).forEach(i -> offer(100 * MILLI, i));
        assertThat(slow.takes(MIN, 1)).isFalse();
        assertThat(slow.takes(MIN, SlowRequests.PERIOD_NANOS)).isTrue();
        offer(MIN, SlowRequests.PERIOD_NANOS);
        assertThat(totals()).hasSize(MAX + 1).contains(MIN);
    }

    @Test
    void namesThePhaseInWhichTheTimeWent() {
        assertThat(request(0, 3, 2, 1).longest()).isEqualTo(RequestPhase.QUEUE);
        assertThat(request(0, 1, 2, 3).longest()).isEqualTo(RequestPhase.WRITE);
        assertThat(request(4, 1, 2, 3).longest()).isEqualTo(RequestPhase.HEAD);
        assertThat(request(0, 0, 0, 0).longest()).isEqualTo(RequestPhase.HANDLER);
    }

    /// Each loop keeps those of its own requests.
    @Test
    void slowestOfSeveralLoopsHaveFewOfAGroup() {
        List<SlowRequest> all =
                Stream.of(9L, 1L, 7L, 6L, 5L)
                        .map(total -> SlowRequest.of(new Ended(total < 2 ? 2 : 1, total), "/"))
                        .toList();
        assertThat(SlowRequest.slowest(all, 10).stream().map(SlowRequest::totalNanos))
                .containsExactly(9L, 7L, 6L, 1L);
        assertThat(SlowRequest.slowest(all, 2)).hasSize(2);
    }

    private void offer(long total, long now) {
        offer(++groups, total, now);
    }

    private void offer(long group, long total, long now) {
        if (slow.takes(total, now)) {
            slow.add(new Ended(group, total), "/", now);
        }
    }

    private static SlowRequest request(long head, long queue, long handler, long write) {
        return new SlowRequest("GET /", "/", 200, 0, 0, MIN, head, queue, handler, write);
    }

    private List<Long> totals() {
        return slow.read().stream().map(SlowRequest::totalNanos).toList();
    }

    /// A request whose time went in the handler.
    private record Ended(long group, long totalNanos) implements EndedRequest {
        @Override
        public int mount() {
            return 0;
        }

        @Override
        public int status() {
            return 200;
        }

        @Override
        public boolean isRefused() {
            return false;
        }

        @Override
        public long nanos(RequestPhase phase) {
            return phase == RequestPhase.HANDLER ? totalNanos : 0;
        }

        @Override
        public String name() {
            return "GET /";
        }

        @Override
        public long endedEpochSeconds() {
            return 0;
        }
    }
}
