package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
import org.junit.jupiter.api.Test;

/// Which readers are too slow, where the system takes bytes only in large steps.
final class PaceTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long SENT = 4 << 20;
    private static final Limits.Paces LIMITS = Limits.DEFAULT.pace();

    private final Pace pace = new Pace();

    /// It reads 500 bytes each second, and the system asks for more only after 65 seconds.
    @Test
    void readerWhoseSystemAcknowledgesBytesDoesNotStall() {
        pace.begin(0, SENT, 0);
        for (int second = 1; second <= 60; second++) {
            assertThat(tooSlow(second, 1_000 + 500L * second)).as("after %d s", second).isFalse();
        }
    }

    @Test
    void readerThatTakesNothingStalls() {
        pace.begin(0, SENT, 0);
        for (int second = 1; second < 30; second++) {
            assertThat(tooSlow(second, 1_000)).as("after %d s", second).isFalse();
        }
        assertThat(tooSlow(30, 1_000)).isTrue();
    }

    private boolean tooSlow(int second, long acknowledged) {
        long now = second * SECOND;
        if (pace.seemsToStall(now, SENT)) {
            pace.acknowledged(now, acknowledged);
        }
        return pace.tooSlow(now, SENT, LIMITS, LIMITS.minBytesPerSecond());
    }
}
