package dev.serval.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class StreamTableTest {
    @Test
    void behavesLikeAMap() {
        Random random = new Random(9113);
        StreamTable<String> table = new StreamTable<>();
        Map<Integer, String> map = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            int number = 1 + 2 * random.nextInt(300);
            if (random.nextBoolean()) {
                if (map.put(number, "s" + number) == null) {
                    table.put(number, "s" + number);
                }
            } else {
                assertThat(table.remove(number)).isEqualTo(map.remove(number) != null);
            }
            assertThat(table.size()).isEqualTo(map.size());
            int asked = 1 + 2 * random.nextInt(300);
            assertThat(table.find(asked)).isEqualTo(map.get(asked));
        }
        List<String> all = new ArrayList<>();
        table.forEach(all::add);
        assertThat(all).containsExactlyInAnyOrderElementsOf(map.values());
    }

    @Test
    void streamsMayLeaveWhileAllAreVisited() {
        StreamTable<Integer> table = new StreamTable<>();
        for (int number = 1; number < 40; number += 2) {
            table.put(number, number);
        }
        table.forEach(table::remove);
        assertThat(table.size()).isZero();
    }
}
