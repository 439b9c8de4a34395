package dev.serval.lrwp.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

final class BackoffTest {
    private static final PeerLimits LIMITS = retry(100, 2_000, 30_000);

    /// Always the largest or the smallest number.
    private record Fixed(boolean largest) implements RandomGenerator {
        @Override
        public long nextLong() {
            return 0;
        }

        @Override
        public long nextLong(long bound) {
            return largest ? bound - 1 : 0;
        }
    }

    private static long millis(Backoff backoff, boolean refused) {
        return TimeUnit.NANOSECONDS.toMillis(backoff.nextNanos(refused));
    }

    @Test
    void doublesUpToTheLargestPause() {
        Backoff backoff = new Backoff(LIMITS, new Fixed(true));
        for (long expected :
                new long[] {100, 200, 400, 800, 1600, 3200, 6400, 12800, 25600, 30000, 30000}) {
            assertThat(millis(backoff, false)).isEqualTo(expected);
        }
        for (int i = 0; i < 1000; i++) {
            assertThat(millis(backoff, false)).isEqualTo(30_000);
        }
        backoff.reset();
        assertThat(millis(backoff, false)).isEqualTo(100);
    }

    @Test
    void spreadsFromHalfToWhole() {
        assertThat(millis(new Backoff(LIMITS, new Fixed(false)), false)).isEqualTo(50);
        assertThat(millis(new Backoff(LIMITS, new Fixed(true)), false)).isEqualTo(100);
    }

    @Test
    void waitsLongerAfterRefusal() {
        Backoff backoff = new Backoff(LIMITS, new Fixed(true));
        assertThat(millis(backoff, true)).isEqualTo(2_000);
        assertThat(millis(backoff, true)).isEqualTo(4_000);
    }

    @Test
    void limitsAreChecked() {
        assertThatThrownBy(() -> retry(0, 1, 1))
                .hasMessage("retryMinMillis is 0: it must be from 1 to 86400000");
        assertThatThrownBy(() -> retry(5, 10, 9)).hasMessageContaining("retryMaxMillis is 9");
        assertThatThrownBy(() -> PeerLimits.STANDARD.with(draft -> draft.bodyMemoryMaxBytes = -1))
                .hasMessageContaining("bodyMemoryMaxBytes");
        assertThatThrownBy(
                        () -> PeerLimits.STANDARD.with(draft -> draft.handshakeTimeoutMillis = 0))
                .hasMessageContaining("handshakeTimeoutMillis");
    }

    private static PeerLimits retry(int min, int refusedMin, int max) {
        return PeerLimits.STANDARD.with(draft -> {
            draft.retryMinMillis = min;
            draft.refusedMinMillis = refusedMin;
            draft.retryMaxMillis = max;
        });
    }
}
