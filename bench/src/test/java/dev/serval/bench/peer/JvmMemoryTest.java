package dev.serval.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JvmMemoryTest {
    private static final String TRACKED =
            """
            Total: reserved=9999999KB, committed=111111KB
            -                 Java Heap (reserved=262144KB, committed=16384KB)
            -                     Other (reserved=300KB, committed=256KB)
            """;

    @Test
    void addsGenerationsOfSerialWithoutMetaspace() {
        String heap =
                """
                 def new generation   total 4928K, used 100K [0x0, 0x1, 0x2)
                  eden space 4416K,   2% used [0x0, 0x1, 0x2)
                 tenured generation   total 10944K, used 900K [0x0, 0x1, 0x2)
                 Metaspace       used 3000K, committed 3200K, reserved 1056768K
                  class space    used 300K, committed 384K, reserved 1048576K
                """;
        assertThat(JvmMemory.parse(heap, TRACKED))
                .isEqualTo(new JvmMemory(1000 * 1024, 256 * 1024));
    }

    @Test
    void parsesG1() {
        String heap =
                " garbage-first heap   total reserved 6M, committed 401408K, used 2345K [0x0, 0x1)\n";
        assertThat(JvmMemory.parse(heap, "")).isEqualTo(new JvmMemory(2345 * 1024, 0));
    }

    @Test
    void rejectsOtherCollectors() {
        assertThatThrownBy(() -> JvmMemory.parse(" ZHeap  used 14M, capacity 256M\n", TRACKED))
                .isInstanceOf(BenchFailure.class)
                .hasMessageContaining("ZHeap");
    }
}
