package dev.serval.soak.subject;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class RemainsTest {
    private static Remains parse(long bytes, long threads, long descriptors) throws IOException {
        String histogram =
                """
                4711:
                 num     #instances         #bytes  class name (module)
                -------------------------------------------------------
                   1:         20000        %d  [B (java.base@25)
                   2:           100           2400  dev.serval.Thing
                Total         20100        %d
                """
                        .formatted(bytes, bytes + 2400);
        return Remains.parse(histogram, threads, descriptors);
    }

    @Test
    void growthUpToTheLimitsIsNone() throws IOException {
        Remains before = parse(1000, 10, 20);
        assertThat(parse(2000, 12, 21).growth(before, 1000, 2, 1)).isEmpty();
    }

    @Test
    void namesWhatHasGrown() throws IOException {
        Remains before = parse(1000, 10, 20);
        assertThat(parse(2001, 13, 22).growth(before, 1000, 2, 1))
                .hasSize(3)
                .anyMatch(fault -> fault.contains("1,001 bytes") && fault.contains("[B +1,001"))
                .anyMatch(fault -> fault.equals("Threads grew by 3"))
                .anyMatch(fault -> fault.equals("Descriptors grew by 2"));
    }

    @Test
    void gapsThatTheCollectorFillsAreNotLive() throws IOException {
        String histogram =
                """
                   1:    20000        1000  [B (java.base@25)
                   2:      100         500  [Ljdk.internal.vm.FillerElement; (java.base@25)
                Total     20100        1500
                """;
        Remains remains = Remains.parse(histogram, 1, 1);
        assertThat(remains.heapBytes()).isEqualTo(1000);
        assertThat(remains.bytes()).containsOnlyKeys("[B");
    }

    @Test
    void outputWithoutTotalIsRefused() {
        assertThatThrownBy(() -> Remains.parse("no such process", 1, 1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no such process");
    }
}
