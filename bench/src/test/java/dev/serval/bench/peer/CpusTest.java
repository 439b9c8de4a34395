package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CpusTest {
    @Test
    void fourCpusAreSplitInHalf() {
        Cpus spread = new Cpus(Set.of(7, 0, 2, 5), Set.of(0), Set.of(2), true).spread();
        assertThat(spread.server()).containsExactlyInAnyOrder(0, 2);
        assertThat(spread.client()).containsExactlyInAnyOrder(5, 7);
        assertThat(spread.pinned()).isTrue();
    }

    @Test
    void fewerCpusKeepTheirAssignment() {
        Cpus three = new Cpus(Set.of(0, 1, 2), Set.of(0), Set.of(1), true);
        assertThat(three.spread()).isEqualTo(three);
    }

    @Test
    void unpinnedCpusAreNotSpread() {
        Cpus free = Cpus.unpinned(Set.of(0, 1, 2, 3));
        assertThat(free.spread()).isEqualTo(free);
    }

    @Test
    void suiteUsesAllItsCpusAgainAfterAScenario() throws IOException {
        Proc proc = new Proc(Path.of("/proc"));
        Cpus cpus = Cpus.choose(proc);
        assumeTrue(cpus.pinned(), "there are fewer than two CPUs, or no taskset");
        cpus.moveSelf();
        try {
            assertThat(proc.allowedCpus()).isEqualTo(cpus.client());
        } finally {
            cpus.moveBack();
        }
        assertThat(proc.allowedCpus()).isEqualTo(cpus.all());
    }
}
