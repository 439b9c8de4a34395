package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LogRingTest {
    private final List<String> taken = new ArrayList<>();

    private int take(LogRing ring) {
        return ring.take((file, bytes, from, length) ->
                taken.add(file + ":" + new String(bytes, from, length, StandardCharsets.US_ASCII)));
    }

    private static boolean put(LogRing ring, int file, String line, int most) {
        int at = ring.claim(most);
        if (at < 0) {
            ring.lose();
            return false;
        }
        byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, ring.memory(), at, bytes.length);
        ring.publish(file, bytes.length);
        return true;
    }

    @Test
    void handsOverLinesInOrderWithTheirFiles() {
        LogRing ring = new LogRing(256);
        assertThat(put(ring, 1, "a", 50)).isTrue();
        assertThat(put(ring, 2, "", 50)).isTrue();
        assertThat(take(ring)).isEqualTo(2);
        assertThat(put(ring, 1, "ccc", 50)).isTrue();
        assertThat(take(ring)).isEqualTo(1);
        assertThat(take(ring)).isZero();
        assertThat(taken).containsExactly("1:a", "2:", "1:ccc");
    }

    @Test
    void keepsEachLineInOnePieceWhereverTheRingEnds() {
        for (int first = 0; first < 60; first++) {
            LogRing ring = new LogRing(128);
            taken.clear();
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                String line = "x".repeat((first + 7 * i) % 33);
                assertThat(put(ring, i, line, 40)).isTrue();
                expected.add(i + ":" + line);
                assertThat(take(ring)).isEqualTo(1);
            }
            assertThat(taken).isEqualTo(expected);
        }
    }

    @Test
    void fillsToTheLastByteAndNotPastIt() {
        LogRing ring = new LogRing(128);
        for (int i = 0; i < 4; i++) { // 8 bytes before each
            assertThat(put(ring, 0, "y".repeat(24), 24)).isTrue();
        }
        assertThat(put(ring, 0, "z", 1)).isFalse();
        assertThat(ring.lost()).isEqualTo(1);
        assertThat(take(ring)).isEqualTo(4);
        assertThat(put(ring, 0, "z", 24)).isTrue();
        assertThat(take(ring)).isEqualTo(1);
        assertThat(taken).hasSize(5).last().isEqualTo("0:z");
    }

    @Test
    void tellsWhenHalfOfItWaits() {
        LogRing ring = new LogRing(128);
        assertThat(put(ring, 0, "y".repeat(48), 48)).isTrue();
        assertThat(ring.isHalfFull()).isFalse();
        assertThat(put(ring, 0, "", 0)).isTrue();
        assertThat(ring.isHalfFull()).isTrue();
        assertThat(take(ring)).isEqualTo(2);
        assertThat(ring.isHalfFull()).isFalse();
    }

    @Test
    void refusesSizesThatAreNoPowerOfTwo() {
        assertThatThrownBy(() -> new LogRing(100)).hasMessageContaining("100");
    }

    @Test
    void twoThreadsLoseNothingButWhatIsCounted() throws InterruptedException {
        LogRing ring = new LogRing(1 << 12);
        int lines = 500_000;
        AtomicLong sum = new AtomicLong();
        Thread loop =
                Thread.ofPlatform()
                        .start(() -> {
                            for (int i = 0; i < lines; i++) {
                                if (put(ring, i, Integer.toString(i), 10 + i % 100)) {
                                    sum.addAndGet(i);
                                }
                            }
                        });
        long[] got = {0, 0, -1};
        LogRing.Taker taker =
                (file, bytes, from, length) -> {
                    int number =
                            Integer.parseInt(
                                    new String(bytes, from, length, StandardCharsets.US_ASCII));
                    assertThat(number == file && number > got[2]).isTrue();
                    got[0]++;
                    got[1] += number;
                    got[2] = number;
                };
        boolean alive;
        do {
            alive = loop.isAlive();
            ring.take(taker);
        } while (alive);
        loop.join();
        assertThat(got[0] + ring.lost()).isEqualTo(lines);
        assertThat(got[1]).isEqualTo(sum.get());
    }
}
