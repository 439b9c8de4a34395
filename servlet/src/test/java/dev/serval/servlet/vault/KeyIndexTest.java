package dev.serval.servlet.vault;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The index agrees with a map, whatever is added and removed.
final class KeyIndexTest {
    private static final int SWEEPS = 64;

    @Test
    void agreesWithAMap() {
        Random random = new Random(1);
        KeyIndex index = new KeyIndex(0);
        Map<SessionKey, Integer> model = new HashMap<>();
        for (int i = 0; i < 200_000; i++) {
            // Few low bits, so that many keys want the same place.
            SessionKey key =
                    new SessionKey((long) random.nextInt(4) << 58, 1 + random.nextInt(700));
            if (random.nextInt(5) < 3) {
                int blocks = 1 + random.nextInt(9);
                Integer before = model.put(key, blocks);
                assertThat(index.put(key, 0, new KeyIndex.Entry(blocks, i % 2 == 0)).blocks())
                        .isEqualTo(before == null ? 0 : before);
            } else {
                Integer before = model.remove(key);
                assertThat(index.remove(key).blocks()).isEqualTo(before == null ? 0 : before);
            }
            SessionKey other =
                    new SessionKey((long) random.nextInt(4) << 58, 1 + random.nextInt(700));
            assertThat(index.contains(other)).isEqualTo(model.containsKey(other));
        }
        model.keySet().forEach(key -> assertThat(index.contains(key)).isTrue());
    }

    @Test
    void findsOverdueKeysInOneRoundOfSweeps() {
        KeyIndex index = new KeyIndex(1_000_000);
        KeyIndex.Entry entry = new KeyIndex.Entry(1, true);
        SessionKey early = SessionKey.of("early");
        index.put(early, 1_010_000, entry);
        index.put(SessionKey.of("late"), 1_030_000, entry);
        index.put(SessionKey.of("never"), Long.MAX_VALUE, entry);
        assertThat(sweep(index, 1_009_000)).isEmpty();
        assertThat(sweep(index, 1_020_000)).containsExactly(early);
        assertThat(index.touch(early, 1_050_000)).isTrue();
        assertThat(sweep(index, 1_020_000)).isEmpty();
        assertThat(index.touch(SessionKey.of("other"), 1)).isFalse();
    }

    private static List<SessionKey> sweep(KeyIndex index, long now) {
        return java.util.stream.IntStream.range(0, SWEEPS)
                .boxed()
                .flatMap(_ -> index.overdue(now, 10).stream())
                .toList();
    }
}
