package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MappingTest {
    private static final long SECOND = 1_000_000_000;

    private final Mapping mapping = new Mapping("/app");
    private final Mapping.Conduct conduct = mapping.at(0);
    private long now = 5 * SECOND;

    @Test
    void theFirstRequestsGoToThePool() {
        for (int i = 0; i < 50; i++) {
            conduct.request(now);
            assertThat(conduct.prefersPool()).as("request %d", i + 1).isTrue();
        }
        conduct.request(now);
        assertThat(conduct.prefersPool()).isFalse();
    }

    @Test
    void whatKeepsItsLoopAgainAndAgainGoesToThePool() {
        skipTheFirst();
        for (int i = 1; i < 8; i++) {
            assertThat(conduct.retaken(now)).as("retake %d", i).isFalse();
            assertThat(conduct.prefersPool()).isFalse();
        }
        assertThat(conduct.retaken(now)).isTrue();
        assertThat(conduct.prefersPool()).isTrue();
    }

    @Test
    void rareRetakesAreNoHabit() {
        skipTheFirst();
        for (int i = 0; i < 100; i++) {
            assertThat(conduct.retaken(now)).isFalse();
            carry(100); // more than 32 for each retake
        }
        assertThat(conduct.prefersPool()).isFalse();
    }

    @Test
    void retakesOfWhatBeganBeforeItWentToThePoolCountForNothing() {
        skipTheFirst();
        sendToPool(8);
        for (int i = 0; i < 100; i++) {
            assertThat(conduct.retaken(now)).isFalse();
        }
        now += SECOND;
        assertThat(conduct.request(now)).as("on trial after one second").isTrue();
    }

    @Test
    void itIsTriedAnewLaterAndLater() {
        skipTheFirst();
        sendToPool(8);
        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            now += seconds * SECOND - 1;
            assertThat(conduct.request(now)).as("just before %d s", seconds).isFalse();
            assertThat(conduct.prefersPool()).isTrue();
            now += 1;
            assertThat(conduct.request(now)).as("after %d s", seconds).isTrue();
            assertThat(conduct.prefersPool()).isFalse();
            sendToPool(3);
        }
    }

    @Test
    void aTrialThatGoesWellForgetsHowLongItWasAway() {
        skipTheFirst();
        sendToPool(8);
        now += SECOND;
        conduct.request(now);
        carry(4096);
        sendToPool(8); // as at first: three are not enough any more
        now += SECOND;
        assertThat(conduct.request(now)).isTrue();
    }

    @Test
    void eachLoopLearnsByItself() {
        skipTheFirst();
        assertThat(mapping.at(7).prefersPool()).isTrue();
        assertThat(mapping.at(0)).isSameAs(conduct);
        assertThat(mapping.at(7)).isSameAs(mapping.at(7)).isNotSameAs(conduct);
    }

    private void skipTheFirst() {
        for (int i = 0; i <= 50; i++) {
            conduct.request(now);
        }
    }

    /// The last of so many retakes, and none before, sends it there.
    private void sendToPool(int retakes) {
        for (int i = 1; i <= retakes; i++) {
            assertThat(conduct.retaken(now)).as("retake %d", i).isEqualTo(i == retakes);
        }
    }

    private void carry(int parts) {
        for (int i = 0; i < parts; i++) {
            conduct.carried();
        }
    }
}
