package dev.serval.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Lines as the JDK's collectors write them.
final class GcLogTest {
    private static final String SERIAL =
            """
            [1000ms][gc,start    ] GC(0) Pause Young (Allocation Failure)
            [1019ms][gc,heap     ] GC(0) DefNew: 6656K(7424K)->768K(7424K) Eden: 6656K(6656K)->0K(6656K)
            [1019ms][gc,metaspace] GC(0) Metaspace: 6143K(6272K)->6143K(6272K) NonClass: 5391K(5440K)
            [1019ms][gc          ] GC(0) Pause Young (Allocation Failure) 7M->2M(23M) 19.346ms
            [1019ms][gc,cpu      ] GC(0) User=0.01s Sys=0.00s Real=0.02s
            [2000ms][gc          ] GC(1) Pause Full (Allocation Failure) 23M->4M(23M) 50.5ms
            """;

    private static final String G1 =
            """
            [1143ms][gc,heap     ] GC(0) Eden regions: 12->0(8)
            [1143ms][gc,phases   ] GC(0)   Pre Evacuate Collection Set: 0.11ms
            [1143ms][gc          ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 13M->3M(24M) 19.348ms
            [1200ms][gc          ] GC(1) Concurrent Mark Cycle
            [1210ms][gc          ] GC(1) Pause Remark 5M->4M(24M) 1.500ms
            [1220ms][gc          ] GC(1) Concurrent Mark Cycle 20.123ms
            """;

    private static final String ZGC =
            """
            [1000ms][gc          ] GC(0) Major Collection (Warmup)
            [1777ms][gc,phases   ] GC(0) Y: Pause Mark Start (Major) 0.020ms
            [1778ms][gc,phases   ] GC(0) Y: Concurrent Mark 15.020ms
            [1797ms][gc,phases   ] GC(0) Y: Young Generation 4M(17%)->5M(17%) 0.022s
            [1806ms][gc,phases   ] GC(0) O: Pause Mark End 0.015ms
            [1816ms][gc          ] GC(0) Major Collection (Warmup) 14M(17%)->6M(7%) 0.041s
            """;

    private static GcLog parsed(String text) {
        return GcLog.parse(text.lines().toList());
    }

    @Test
    void readsPausesAndHeapsOfCollectorsThatStop() {
        GcLog log = parsed(SERIAL);
        assertThat(log.pauses())
                .containsExactly(new GcLog.Pause(1019, 19.346), new GcLog.Pause(2000, 50.5));
        assertThat(log.heaps()).containsExactly(new GcLog.Heap(1019, 2), new GcLog.Heap(2000, 4));
    }

    @Test
    void workBesideTheApplicationIsNoPause() {
        assertThat(parsed(G1).pauses())
                .containsExactly(new GcLog.Pause(1143, 19.348), new GcLog.Pause(1210, 1.5));
        assertThat(parsed(ZGC).pauses())
                .containsExactly(new GcLog.Pause(1777, 0.02), new GcLog.Pause(1806, 0.015));
    }

    @Test
    void heapIsThatOfTheWholeCollection() {
        assertThat(parsed(G1).heaps())
                .containsExactly(new GcLog.Heap(1143, 3), new GcLog.Heap(1210, 4));
        assertThat(parsed(ZGC).heaps()).containsExactly(new GcLog.Heap(1816, 6));
    }

    private static final String GENERATIONS =
            """
            [1000ms][gc,heap     ] GC(0) PSYoungGen: 262144K(305664K)->2048K(305664K) Eden: 262144K(262144K)->0K(262144K) From: 0K(43520K)->2048K(43520K)
            [1000ms][gc,heap     ] GC(0) ParOldGen: 1166K(699392K)->1176K(699392K)
            [1000ms][gc,metaspace] GC(0) Metaspace: 6143K(6272K)->6143K(6272K)
            [2000ms][gc,heap     ] GC(1) DefNew: 264192K(305664K)->1024K(305664K) Eden: 262144K(262144K)->0K(262144K)
            [2000ms][gc,heap     ] GC(1) Tenured: 1176K(699392K)->1196K(699392K)
            [3000ms][gc,heap     ] GC(2) PSYoungGen: 1024K(305664K)->0K(305664K)
            [3000ms][gc,heap     ] GC(2) ParOldGen: 1196K(699392K)->1100K(699392K)
            """;

    @Test
    void readsGenerationsOfSerialAndParallel() {
        GcLog log = parsed(GENERATIONS);
        assertThat(log.generations())
                .hasSize(6)
                .startsWith(
                        new GcLog.Generation(1000, true, 262144 << 10, 2048 << 10),
                        new GcLog.Generation(1000, false, 1166 << 10, 1176 << 10),
                        new GcLog.Generation(2000, true, 264192 << 10, 1024 << 10),
                        new GcLog.Generation(2000, false, 1176 << 10, 1196 << 10));
        assertThat(parsed(G1).generations()).isEmpty();
    }

    @Test
    void sumsWhatMovedBetweenTwoInstants() {
        GcLog log = parsed(GENERATIONS);
        long first = 262144 - 2048;
        long second = 264192 - 1024;
        assertThat(log.moved(1000, 2000))
                .isEqualTo(new GcLog.Moved(first << 10, 2048 << 10, 10 << 10));
        // An old generation that shrinks in a full collection takes nothing from its growth.
        assertThat(log.moved(1001, 3001))
                .isEqualTo(new GcLog.Moved((second + 1024) << 10, 1024 << 10, 20 << 10));
        assertThat(log.moved(3001, 9999)).isEqualTo(new GcLog.Moved(0, 0, 0));
    }

    @Test
    void selectsByTime() {
        GcLog log = parsed(SERIAL);
        assertThat(log.pauses(1019, 2000)).containsExactly(new GcLog.Pause(1019, 19.346));
        assertThat(log.pauses(1020, 2001)).containsExactly(new GcLog.Pause(2000, 50.5));
        assertThat(log.heapMegabytes(1019)).isNaN();
        assertThat(log.heapMegabytes(1020)).isEqualTo(2);
        assertThat(log.heapMegabytes(9999)).isEqualTo(4);
    }

    @Test
    void linesOfOthersAreLeftOut() {
        assertThat(GcLog.parse(List.of("", "[x", "[1ms][gc] Using Serial")))
                .isEqualTo(new GcLog(List.of(), List.of(), List.of()));
    }
}
