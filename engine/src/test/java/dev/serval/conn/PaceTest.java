package dev.serval.conn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
import org.junit.jupiter.api.Test;

/// Which readers are too slow, where the system takes bytes only in large steps, or while they send
/// content.
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

    @Test
    void contentCountsOnlyUpToTheMinimumRate() {
        pace.begin(0, 0, 0);
        for (int second = 1; second <= 60; second++) {
            assertThat(tooSlow(second, 0, 1_000_000L * second)).as("after %d s", second).isFalse();
        }
        for (int second = 61; second <= 65; second++) {
            assertThat(tooSlow(second, 0, 60_000_000)).as("after %d s", second).isFalse();
        }
        assertThat(tooSlow(66, 0, 60_000_000)).isTrue();
    }

    @Test
    void contentGivesNoCreditToAClientThatTakesEnough() {
        pace.begin(0, 0, 0);
        for (int second = 1; second <= 60; second++) {
            assertThat(tooSlow(second, 240L * second, 240L * second)).isFalse();
        }
        assertThat(tooSlow(65, 60 * 240, 60 * 240)).isFalse();
        assertThat(tooSlow(66, 60 * 240, 60 * 240)).isTrue();
    }

    /// Half of the minimum rate in each direction.
    @Test
    void contentCountsTogetherWithBytesThatAreTaken() {
        pace.begin(0, 0, 0);
        for (int second = 1; second <= 60; second++) {
            assertThat(tooSlow(second, 120L * second, 120L * second))
                    .as("after %d s", second)
                    .isFalse();
        }
        assertThat(tooSlow(70, 60 * 120, 60 * 120)).isTrue();
    }

    /// The client takes 10 bytes every 5 seconds.
    @Test
    void contentCountsInAWaitOfManyPieces() {
        for (int second = 0; second < 60; second += 5) {
            pace.begin(second * SECOND, 2L * second, 2L * second);
            for (int next = second + 1; next <= second + 5; next++) {
                assertThat(tooSlow(next, 2L * second, 240L * next))
                        .as("after %d s", next)
                        .isFalse();
            }
            pace.end((second + 5) * SECOND, 2L * second + 10);
        }
        pace.begin(60 * SECOND, 120, 120);
        assertThat(tooSlow(67, 120, 240L * 60)).isTrue();
    }

    @Test
    void contentBetweenTwoWaitsGivesNoCredit() {
        pace.begin(0, 0, 0);
        pace.end(SECOND, 0);
        for (int second = 1; second <= 100; second++) {
            assertThat(tooSlow(second, 0, 1_000_000L * second)).isFalse();
        }
        pace.begin(100 * SECOND, 0, 0);
        assertThat(tooSlow(108, 0, 100_000_000)).isFalse();
        assertThat(tooSlow(114, 0, 100_000_000)).isTrue();
    }

    /// The count of another request is less than that before.
    @Test
    void contentOfAnotherRequestTakesNothingAway() {
        pace.begin(0, 0, 0);
        for (int second = 1; second <= 4; second++) {
            assertThat(tooSlow(second, 0, 240L * second)).isFalse();
        }
        for (int second = 5; second <= 9; second++) {
            assertThat(tooSlow(second, 0, 0)).as("after %d s", second).isFalse();
        }
        assertThat(tooSlow(10, 0, 0)).isTrue();
    }

    @Test
    void noContentIsEnoughForNothing() {
        Limits.Paces anyRate = LIMITS.with(draft -> draft.minBytesPerSecond = 0);
        pace.begin(0, 0, 0);
        pace.upload(30 * SECOND, 0, 0, 0);
        assertThat(pace.tooSlow(30 * SECOND, 0, anyRate, 0)).isTrue();
    }

    private boolean tooSlow(int second, long taken, long content) {
        long now = second * SECOND;
        pace.upload(now, taken, content, LIMITS.minBytesPerSecond());
        return pace.tooSlow(now, taken, LIMITS, LIMITS.minBytesPerSecond());
    }

    private boolean tooSlow(int second, long acknowledged) {
        long now = second * SECOND;
        if (pace.seemsToStall(now, SENT)) {
            pace.acknowledged(now, acknowledged);
        }
        return pace.tooSlow(now, SENT, LIMITS, LIMITS.minBytesPerSecond());
    }
}
