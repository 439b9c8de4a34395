package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class JvmWorkTest {
    private static final String COUNTERS =
            """
            12:
            java.ci.totalTime=1500000
            sun.ci.totalCompiles=9
            sun.os.hrt.frequency=1000000
            """;

    private static final String SERIAL =
            """
            12:
            DefNew     total 314560K, used 21825K [0x00000000c0000000, 0x00000000d5550000)
             eden space 279616K,   5% used [0x00000000c0000000, 0x00000000c1062218)
            Tenured    total 699072K, used 1166K [0x00000000d5550000, 0x0000000100000000)
            """;

    @Test
    void readsTheYoungGenerationOfSerialAndParallel() {
        assertThat(JvmWork.parse(COUNTERS, SERIAL, 7)).isEqualTo(new JvmWork(1500, 21825 << 10, 7));
        String parallel =
                " PSYoungGen      total 344576K, used 163823K [0x0)\n ParOldGen  total 1K, used 1K";
        assertThat(JvmWork.parse(COUNTERS, parallel, 7).youngBytes()).isEqualTo(163823 << 10);
    }

    @Test
    void otherFiguresAreRefused() {
        assertThatThrownBy(() -> JvmWork.parse(COUNTERS, "garbage-first heap total 1K, used 1K", 7))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("garbage-first heap");
        assertThatThrownBy(() -> JvmWork.parse("", SERIAL, 7)).isInstanceOf(BenchFailure.class);
    }

    @Test
    void readsAProcess() {
        JvmWork own = JvmWork.read(ProcessHandle.current().pid());
        assertThat(own.compiledMillis()).isPositive();
        assertThat(own.youngBytes()).isPositive();
    }
}
