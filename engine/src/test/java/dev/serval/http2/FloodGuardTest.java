package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Http2Limits;
import org.junit.jupiter.api.Test;

final class FloodGuardTest {
    private static final Http2Limits LIMITS =
            Http2Limits.DEFAULT.with(draft -> {
                draft.framesMax = 20;
                draft.resetsMax = 3;
                draft.floodNanos = 1000;
            });

    private final FloodGuard guard = new FloodGuard();

    private int framesUntilFlood(long now) {
        int count = 1;
        while (!guard.frame(LIMITS, now)) {
            count++;
        }
        return count;
    }

    @Test
    void framesAreAllowedUpToTheLimit() {
        assertThat(framesUntilFlood(0)).isEqualTo(21);
    }

    @Test
    void resetsAreAllowedUpToTheLimit() {
        for (int i = 0; i < 3; i++) {
            assertThat(guard.reset(LIMITS, 5)).isFalse();
        }
        assertThat(guard.reset(LIMITS, 5)).isTrue();
    }

    @Test
    void bothAreForgottenAfterTheTime() {
        guard.frame(LIMITS, 7);
        guard.reset(LIMITS, 7);
        guard.reset(LIMITS, 7);
        guard.reset(LIMITS, 7);
        assertThat(guard.reset(LIMITS, 1006)).isTrue();
        assertThat(guard.reset(LIMITS, 1007)).isFalse();
        assertThat(framesUntilFlood(1007)).isEqualTo(21);
    }

    @Test
    void contentAndResponsesMakeUpForFrames() {
        for (int i = 0; i < 20; i++) {
            guard.frame(LIMITS, 0);
        }
        guard.data(1);
        assertThat(framesUntilFlood(0)).isEqualTo(5);
        guard.response();
        assertThat(framesUntilFlood(0)).isEqualTo(16);
    }

    /// A client that was busy sends the window updates for many small frames at once.
    @Test
    void contentMakesUpForLaterFrames() {
        for (int i = 0; i < 1000; i++) {
            guard.data(1);
        }
        assertThat(framesUntilFlood(0)).isEqualTo(4021);
    }

    /// Go's client gives back each 4 KiB that a program reads at a time, to the stream and to the
    /// connection.
    @Test
    void longContentMakesUpForTheUpdatesOfSmallReads() {
        for (int i = 0; i < 1000; i++) {
            guard.data(16_384);
            for (int update = 0; update < 8; update++) {
                assertThat(guard.frame(LIMITS, 0)).isFalse();
            }
        }
    }

    @Test
    void halfOfWhatContentMakesUpForIsLeftAfterTheTime() {
        guard.frame(LIMITS, 0);
        for (int i = 0; i < 11; i++) {
            guard.data(1);
        }
        assertThat(framesUntilFlood(1000)).isEqualTo(21 + 21);
    }

    @Test
    void contentMakesUpForABoundedNumberInAdvance() {
        for (int i = 0; i < 1_000_000; i++) {
            guard.data(1);
        }
        assertThat(framesUntilFlood(0)).isEqualTo((1 << 16) + 21);
    }

    @Test
    void responsesDoNotMakeUpForLaterFrames() {
        guard.response();
        assertThat(framesUntilFlood(0)).isEqualTo(21);
    }

    @Test
    void responsesMakeUpForResetsButNotInAdvance() {
        for (int i = 0; i < 10; i++) {
            guard.response();
        }
        for (int i = 0; i < 3; i++) {
            assertThat(guard.reset(LIMITS, 0)).isFalse();
        }
        guard.response();
        assertThat(guard.reset(LIMITS, 0)).isFalse();
        assertThat(guard.reset(LIMITS, 0)).isTrue();
    }
}
