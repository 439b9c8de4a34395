package dev.serval.boringssl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class TicketKeysTest {
    private static final long HOUR = TicketKeys.SEALS_NANOS;

    @Test
    void keySealsForAnHour() {
        TicketKeys first = TicketKeys.begin(5);
        assertThat(first.isOver(5 + HOUR - 1)).isFalse();
        assertThat(first.isOver(5 + HOUR)).isTrue();
    }

    @Test
    void newKeySealsAndTheFormerOnesOpen() {
        TicketKeys first = TicketKeys.begin(0);
        TicketKeys second = first.next(HOUR);
        assertThat(second.fromNanos()).isEqualTo(HOUR);
        assertThat(second.keys()).hasSize(2).endsWith(first.keys().getFirst());
        assertThat(second.keys().getFirst().getName())
                .isNotEqualTo(first.keys().getFirst().getName());
    }

    @Test
    void keysAreDroppedAfterADay() {
        TicketKeys keys = TicketKeys.begin(0);
        for (int hour = 1; hour < 60; hour++) {
            keys = keys.next(hour * HOUR);
            assertThat(keys.keys()).hasSize(Math.min(hour + 1, TicketKeys.KEPT));
        }
        assertThat(keys.next(61 * HOUR).keys()).hasSize(TicketKeys.KEPT - 1);
        assertThat(keys.next(1000 * HOUR).keys()).hasSize(1);
    }
}
