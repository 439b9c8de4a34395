package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.bench.peer.Cpus;
import dev.serval.bench.war.Burn;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class BurnTimeTest {
    @Test
    void moreStepsTakeMoreTime() {
        Cpus cpus = Cpus.unpinned(Set.of(0));
        assertThat(BurnTime.nanos(8_000_000, cpus)).isGreaterThan(BurnTime.nanos(2_000_000, cpus));
    }

    @Test
    void stepsDependOnEachOther() {
        assertThat(Burn.steps(0)).isNotZero();
        assertThat(Burn.steps(1)).isNotEqualTo(Burn.steps(0));
        assertThat(Burn.steps(2)).isNotEqualTo(Burn.steps(1));
    }
}
