package dev.serval.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The estimate of how long new work waits.
final class StartQueueTest {
    private static final long MILLI = 1_000_000;
    private static final int MANY = 100;

    private final StartQueue queue = new StartQueue();
    private long now = 7 * MILLI;

    @Test
    void emptyQueueWaitsForNothing() {
        assertThat(queue.waitNanos(now)).isZero();
        add(1);
        take(5 * MILLI);
        assertThat(queue.waitNanos(now)).isZero();
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void eachPieceThatWaitsCountsTheTimeBetweenTwo() {
        add(MANY);
        for (int i = 0; i < MANY / 2; i++) {
            take(5 * MILLI);
        }
        assertThat(queue.waiting()).isEqualTo(MANY / 2);
        assertThat(queue.waitNanos(now)).isEqualTo(MANY / 2 * 5 * MILLI);
    }

    @Test
    void estimateFollowsTheWork() {
        add(5 * MANY);
        for (int i = 0; i < MANY; i++) {
            take(MILLI);
        }
        for (int i = 0; i < 3 * MANY; i++) {
            take(4 * MILLI);
        }
        long left = MANY;
        assertThat(queue.waitNanos(now)).isBetween(left * 39 * MILLI / 10, left * 4 * MILLI);
    }

    /// Many Workers that have begun could go on at once, so new ones begin less often for a moment.
    @Test
    void burstOfOtherWorkTellsLittle() {
        trust(MILLI);
        add(MANY);
        for (int i = 0; i < 8; i++) {
            take(6 * MILLI);
        }
        assertThat(queue.waitNanos(now)).isLessThan(2 * MANY * MILLI);
    }

    @Test
    void queueThatStandsStillWaitsLonger() {
        add(1);
        now += 300 * MILLI;
        assertThat(queue.waitNanos(now)).isEqualTo(300 * MILLI);
        assertThat(queue.look(now)).isZero(); // it was empty since the last look
        assertThat(queue.look(now)).isEqualTo(300 * MILLI);
    }

    @Test
    void timeWithoutWorkIsNoDelay() {
        trust(MILLI);
        add(2);
        take(MILLI);
        take(MILLI);
        now += 1000 * MILLI;
        add(3);
        take(MILLI);
        assertThat(queue.waitNanos(now)).isEqualTo(2 * MILLI);
    }

    @Test
    void oneLongTimeCountsLittle() {
        add(3 * MANY);
        for (int i = 0; i < MANY; i++) {
            take(MILLI);
        }
        take(800 * MILLI); // a collection of garbage
        assertThat(queue.waitNanos(now)).isLessThan(2 * 2 * MANY * MILLI);
    }

    @Test
    void firstEstimatesAreBoundByTheTimeThatWorkHasWaited() {
        queue.add(now);
        now += 50 * MILLI;
        add(MANY);
        take(10 * MILLI); // a slow first one
        assertThat(queue.waitNanos(now)).isEqualTo(60 * MILLI);
        queue.look(now);
        assertThat(queue.look(now)).isEqualTo(60 * MILLI);
        long waited = 60;
        for (int i = 1; i < 256; i++) {
            add(1);
            take(10 * MILLI);
            waited += 10;
            long bound = waited * (1 + (i + 1) / 64);
            long most = i == 255 ? Long.MAX_VALUE : bound * MILLI;
            assertThat(queue.waitNanos(now)).isBetween(Math.min(MANY * 10, bound) * MILLI, most);
        }
        while (queue.waiting() > 0) {
            take(10 * MILLI);
        }
        add(MANY);
        assertThat(queue.waitNanos(now)).isGreaterThan(MANY * 9 * MILLI);
    }

    @Test
    void longTimeAfterTimesOfZeroCountsLittle() {
        trust(0);
        add(MANY + 1);
        take(1100 * MILLI); // the machine had something else to do
        assertThat(queue.waitNanos(now)).isLessThan(MANY * MILLI);
    }

    @Test
    void cancelledPiecesTellNothing() {
        add(2 * MANY);
        for (int i = 0; i < MANY; i++) {
            take(5 * MILLI);
        }
        for (int i = 0; i < MANY / 4; i++) {
            queue.drop();
            queue.dropShared();
        }
        assertThat(queue.waiting()).isEqualTo(MANY / 2);
        assertThat(queue.waitNanos(now)).isEqualTo(MANY / 2 * 5 * MILLI);
        take(5 * MILLI);
        assertThat(queue.waitNanos(now)).isEqualTo((MANY / 2 - 1) * 5 * MILLI);
    }

    @Test
    void queueOfWhichAllPiecesWereCancelledHadNoStandingDelay() {
        for (Runnable drop : List.<Runnable>of(queue::drop, queue::dropShared)) {
            add(1);
            queue.look(now);
            drop.run();
            add(MANY);
            assertThat(queue.look(now + MILLI)).isZero();
            while (queue.waiting() > 0) {
                take(MILLI);
            }
        }
    }

    @Test
    void burstIsNoStandingDelay() {
        trust(5 * MILLI);
        assertThat(queue.look(now)).isZero();
        add(MANY);
        for (int i = 0; i < MANY; i++) {
            take(5 * MILLI);
        }
        assertThat(queue.look(now)).isZero();
        add(MANY);
        take(5 * MILLI);
        assertThat(queue.look(now)).isZero(); // empty at the begin of this interval
        take(5 * MILLI);
        assertThat(queue.look(now)).isEqualTo((MANY - 2) * 5 * MILLI);
    }

    @Test
    void bothWaysOfCountingAgree() {
        queue.addShared(now);
        queue.addShared(now);
        now += 5 * MILLI;
        queue.takeShared(now);
        assertThat(queue.waiting()).isEqualTo(1);
        assertThat(queue.waitNanos(now)).isEqualTo(5 * MILLI);
        now += 5 * MILLI;
        queue.takeShared(now);
        assertThat(queue.waitNanos(now)).isZero();
    }

    /// Lets so many pieces pass that the estimates are not bound.
    private void trust(long gap) {
        add(257);
        for (int i = 0; i < 257; i++) {
            take(gap);
        }
    }

    private void add(int pieces) {
        for (int i = 0; i < pieces; i++) {
            queue.add(now);
        }
    }

    private void take(long after) {
        now += after;
        queue.take(now);
    }
}
