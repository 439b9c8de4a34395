package dev.serval.handler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MappingTest {
    private static final long SECOND = 1_000_000_000;

    private final Mapping mapping = new Mapping("/app");
    private final Mapping.HandlerProfile profile = mapping.at(0);
    private long now = 5 * SECOND;

    @Test
    void firstRequestsGoToThePool() {
        for (int i = 0; i < 50; i++) {
            profile.request(now);
            assertThat(profile.prefersPool()).as("request %d", i + 1).isTrue();
        }
        profile.request(now);
        assertThat(profile.prefersPool()).isFalse();
    }

    @Test
    void frequentPreemptionsMoveMappingToThePool() {
        skipTheFirst();
        for (int i = 1; i < 8; i++) {
            assertThat(profile.preempted(now)).as("preemption %d", i).isFalse();
            assertThat(profile.prefersPool()).isFalse();
        }
        assertThat(profile.preempted(now)).isTrue();
        assertThat(profile.prefersPool()).isTrue();
    }

    @Test
    void rarePreemptionsDoNotMoveMappingToThePool() {
        skipTheFirst();
        for (int i = 0; i < 100; i++) {
            assertThat(profile.preempted(now)).isFalse();
            carry(100); // more than 32 parts for each preemption
        }
        assertThat(profile.prefersPool()).isFalse();
    }

    @Test
    void preemptionsOfEarlierRequestsDoNotCountInThePool() {
        skipTheFirst();
        sendToPool(8);
        for (int i = 0; i < 100; i++) {
            assertThat(profile.preempted(now)).isFalse();
        }
        now += SECOND;
        assertThat(profile.request(now)).as("on trial after one second").isTrue();
    }

    @Test
    void trialsComeAtDoublingIntervals() {
        skipTheFirst();
        sendToPool(8);
        for (long seconds : new long[] {1, 2, 4, 8, 16, 32, 60, 60}) {
            now += seconds * SECOND - 1;
            assertThat(profile.request(now)).as("just before %d s", seconds).isFalse();
            assertThat(profile.prefersPool()).isTrue();
            now += 1;
            assertThat(profile.request(now)).as("after %d s", seconds).isTrue();
            assertThat(profile.prefersPool()).isFalse();
            sendToPool(3);
        }
    }

    @Test
    void successfulTrialResetsTheInterval() {
        skipTheFirst();
        sendToPool(8);
        now += SECOND;
        profile.request(now);
        carry(4096);
        sendToPool(8); // eight as in state LOOP, not three as in TRIAL
        now += SECOND;
        assertThat(profile.request(now)).isTrue();
    }

    @Test
    void eachLoopLearnsSeparately() {
        skipTheFirst();
        assertThat(mapping.at(7).prefersPool()).isTrue();
        assertThat(mapping.at(0)).isSameAs(profile);
        assertThat(mapping.at(7)).isSameAs(mapping.at(7)).isNotSameAs(profile);
    }

    @Test
    void workIsTheMeanOfWhatRequestsTook() {
        assertThat(profile.workNanos()).isZero();
        profile.ended(1, 0); // carried by the pool
        assertThat(profile.workNanos()).isZero();
        profile.ended(1, 1_000);
        assertThat(profile.workNanos()).isEqualTo(1_000);
        for (int i = 0; i < 200; i++) {
            profile.ended(1, 5_000);
        }
        assertThat(profile.workNanos()).isBetween(4_900L, 5_000L);
        profile.ended(1, 10 * SECOND); // a collection of garbage: counts as 1 ms
        assertThat(profile.workNanos()).isBetween(60_000L, 70_000L);
        for (int i = 0; i < 200; i++) {
            profile.ended(1, 5_000);
        }
        assertThat(profile.workNanos()).isBetween(5_000L, 5_020L);
    }

    private void skipTheFirst() {
        for (int i = 0; i <= 50; i++) {
            profile.request(now);
        }
    }

    /// Moves the mapping to the pool with exactly that many preemptions.
    private void sendToPool(int preemptions) {
        for (int i = 1; i <= preemptions; i++) {
            assertThat(profile.preempted(now)).as("preemption %d", i).isEqualTo(i == preemptions);
        }
    }

    private void carry(int parts) {
        for (int i = 0; i < parts; i++) {
            profile.carried();
        }
    }

    @Test
    void timesOfAllLoopsAreAdded() {
        assertThat(mapping.times()).isEqualTo(new Mapping.Times(0, 0, 0));
        assertThat(mapping.times().meanNanos()).isZero();
        profile.ended(10, 0);
        profile.ended(40, 0);
        mapping.at(2).ended(30, 0);
        mapping.at(2).ended(20, 0);
        assertThat(mapping.times()).isEqualTo(new Mapping.Times(4, 100, 40));
        assertThat(mapping.times().meanNanos()).isEqualTo(25);
    }
}
