package dev.serval.gateway.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class UpstreamTest {
    private static final PoolLimits LIMITS = PoolLimits.DIAL_OUT;
    private static final long START = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(10); // it wraps

    private final Upstream upstream =
            new Upstream(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), "one");

    @Test
    void connectionsThatLastHaveALimitOfTheirOwn() {
        assertThat(upstream.reserve(2)).isTrue();
        assertThat(upstream.reserve(2)).isTrue();
        assertThat(upstream.beginLasting(1)).isTrue();
        assertThat(upstream.beginLasting(1)).as("too many").isFalse();
        assertThat(upstream.open()).isEqualTo(1);
        assertThat(upstream.lasting()).isEqualTo(1);
        upstream.endLasting();
        assertThat(upstream.beginLasting(1)).isTrue();
        assertThat(upstream.open()).isZero();
    }

    @Test
    void restsAfterThreeFailuresInRow() {
        assertThat(fails(0, 1)).isFalse();
        assertThat(fails(2, 3)).isFalse();
        assertThat(upstream.succeeded()).as("it did not rest").isFalse();
        assertThat(fails(4, 5)).isFalse();
        assertThat(fails(6, 7)).isFalse();
        assertThat(upstream.isUp(at(7))).isTrue();
        assertThat(fails(8, 9)).as("the first rest begins").isTrue();
        assertRests(9, 1000);
        assertThat(upstream.succeeded()).as("it rested").isTrue();
        assertThat(upstream.isUp(at(10))).isTrue();
    }

    @Test
    void failureOfTrialDoublesTheRestUpToOneMinute() {
        restsAt(0);
        long end = 1000;
        for (int seconds : new int[] {2, 4, 8, 16, 32, 60, 60}) {
            assertThat(fails(end, end + 5)).as("only the first rest is told").isFalse();
            assertRests(end + 5, seconds * 1000L);
            end += 5 + seconds * 1000L;
        }
    }

    @Test
    void failuresOfWhatBeganBeforeTheEndOfRestDoNotCount() {
        restsAt(100);
        for (int i = 0; i < 10; i++) {
            fails(50, 100); // of the same restart
            fails(500, 600); // tried in the rest, because no other was up
            fails(50, 1200); // late after the rest
        }
        assertThat(upstream.isUp(at(1200))).isTrue();
        fails(1100, 1200);
        assertRests(1200, 2000);
    }

    @Test
    void trialsAtTheSameTimeCountOnce() {
        restsAt(0);
        for (int i = 0; i < 10; i++) {
            fails(1000, 1010);
        }
        assertRests(1010, 2000);
    }

    @Test
    void checkThatFailsKeepsItDownUntilOneSucceeds() {
        restsAt(0);
        upstream.mark(false);
        assertThat(upstream.isUp(at(5000))).isFalse();
        upstream.mark(true);
        assertThat(upstream.isUp(at(1))).as("its rest has ended too").isTrue();
    }

    private void restsAt(long millis) {
        for (int i = 0; i < 3; i++) {
            fails(millis, millis);
        }
        assertRests(millis, 1000);
    }

    private void assertRests(long fromMillis, long millis) {
        assertThat(upstream.isUp(at(fromMillis + millis) - 1)).as("before the end").isFalse();
        assertThat(upstream.isUp(at(fromMillis + millis))).as("at the end").isTrue();
    }

    private boolean fails(long begunMillis, long nowMillis) {
        return upstream.failed(LIMITS, at(begunMillis), at(nowMillis));
    }

    private static long at(long millis) {
        return START + TimeUnit.MILLISECONDS.toNanos(millis);
    }
}
