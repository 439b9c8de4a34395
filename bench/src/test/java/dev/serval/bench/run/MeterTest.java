package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.serval.bench.peer.Cpus;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MeterTest {
    private static final Cpus PINNED = new Cpus(Set.of(0, 1), Set.of(0), Set.of(1), true);
    private static final Cpus FREE = Cpus.unpinned(Set.of(0, 1));

    @Test
    void othersShareExcludesServerAndIdleTime() {
        Meter.Reading before = new Meter.Reading(0, 0, 0, 0, 0);
        Meter.Reading after = new Meter.Reading(1000, 700, 1400, 250, 200);
        assertThat(Meter.othersShare(before, after, PINNED)).isEqualTo(0.05, within(1e-9));
        // 1000 - 200 idle - (1400 - 700) of the client.
        assertThat(Meter.clientOthersShare(before, after, PINNED)).isEqualTo(0.1, within(1e-9));
    }

    @Test
    void unpinnedSuiteIsNotOthers() {
        Meter.Reading before = new Meter.Reading(0, 0, 0, 0, 0);
        Meter.Reading after = new Meter.Reading(1000, 700, 1400, 500, 500);
        assertThat(Meter.othersShare(before, after, FREE)).isEqualTo(0.05, within(1e-9));
        assertThat(Meter.clientOthersShare(before, after, FREE)).isZero();
    }

    @Test
    void laggingCountersGiveNoNegativeShare() {
        Meter.Reading before = new Meter.Reading(0, 0, 0, 0, 0);
        Meter.Reading after = new Meter.Reading(1000, 1010, 1010, 0, 1000);
        assertThat(Meter.othersShare(before, after, PINNED)).isZero();
    }
}
