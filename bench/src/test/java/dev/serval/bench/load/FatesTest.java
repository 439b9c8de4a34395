package dev.serval.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import org.junit.jupiter.api.Test;

final class FatesTest {
    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;

    private static Fates fates(double seconds) {
        return new Fates(Offer.open(100, seconds), 50 * MILLI);
    }

    @Test
    void goodputHasOnlyAnswersWithinTheDeadline() {
        Fates fates = fates(2);
        fates.ended(Fate.RIGHT, 0, 50 * MILLI);
        fates.ended(Fate.RIGHT, 0, 50 * MILLI + 1);
        fates.ended(Fate.UNAVAILABLE, 0, MILLI);
        assertThat(fates.goodput()).isEqualTo(0.5);
        assertThat(fates.rightPerSecond()).isEqualTo(1);
        assertThat(fates.refusedMillis(99)).isEqualTo(1.0, offset(0.01));
    }

    @Test
    void moreThanOneLateRequestInAHundredIsTheGenerators() {
        Fates fates = fates(2);
        for (int i = 0; i < 100; i++) {
            fates.sent(i, i + (i == 0 ? 11 * MILLI : 10 * MILLI));
            fates.ended(Fate.RIGHT, i, MILLI);
        }
        assertThat(fates.lateShare()).isEqualTo(0.01);
        assertThat(fates.isOfTheGenerator()).isFalse();
        fates.ended(Fate.NOT_SENT, 100, 0);
        assertThat(fates.isOfTheGenerator()).isTrue();
    }

    @Test
    void recoveryIsTheFirstSecondThatIsAsBefore() {
        Fates fates = fates(4);
        for (long at = 0; at < 4 * SECOND; at += 10 * MILLI) {
            boolean slow = at < 600 * MILLI;
            fates.ended(Fate.RIGHT, at, slow ? 900 * MILLI : MILLI);
        }
        assertThat(fates.recoveredAfter(20)).isEqualTo(0.6);
        assertThat(fates.recoveredAfter(1000)).isZero();
        assertThat(fates.recoveredAfter(0.5)).isNaN();
    }

    @Test
    void oneInAHundredMayBeSlow() {
        Fates fates = fates(2);
        for (long at = 0; at < 2 * SECOND; at += 10 * MILLI) {
            fates.ended(at == 500 * MILLI ? Fate.RESET : Fate.RIGHT, at, MILLI);
        }
        assertThat(fates.recoveredAfter(20)).isZero();
        fates.ended(Fate.TIMEOUT, 510 * MILLI, MILLI);
        assertThat(fates.recoveredAfter(20)).isEqualTo(0.55);
    }

    @Test
    void repliesAreCountedWhenTheyCome() {
        Fates fates = fates(2);
        fates.ended(Fate.RIGHT, 0, 400 * MILLI);
        fates.ended(Fate.RIGHT, 0, 500 * MILLI);
        fates.ended(Fate.RIGHT, 900 * MILLI, 300 * MILLI);
        fates.ended(Fate.UNAVAILABLE, 0, MILLI);
        fates.ended(Fate.RIGHT, 1900 * MILLI, 100 * MILLI); // after the offer's time
        assertThat(fates.replyRates(500 * MILLI)).containsExactly(2, 2, 2, 0);
        assertThat(fates.replyRates(1500 * MILLI)).hasSize(1);
    }

    @Test
    void endsHaveEveryOtherWayThanRight() {
        Fates fates = fates(2);
        fates.ended(Fate.RIGHT, 0, MILLI);
        fates.ended(Fate.TIMEOUT, 0, MILLI);
        assertThat(fates.ends())
                .hasSize(Fate.values().length - 1)
                .containsEntry("timeout", 1L)
                .containsEntry("503", 0L)
                .doesNotContainKey("right");
        assertThat(fates.failed()).isEqualTo(1);
        fates.ended(Fate.NOT_SENT, 0, 0);
        assertThat(fates.failed()).as("without those of the generator").isEqualTo(1);
        assertThat(fates.rightMicros().getTotalCount()).isEqualTo(1);
    }
}
