package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What is remembered of a rule.
final class RecentTest {
    private final List<String> asked = new ArrayList<>();
    private final Recent<String> recent =
            new Recent<>(key -> {
                asked.add(key);
                return key.startsWith("A");
            });

    @Test
    void ruleIsAskedOnceForAKeyThatComesAgain() {
        for (int i = 0; i < 3; i++) {
            assertThat(recent.of(new String("Apple".toCharArray()))).isTrue();
            assertThat(recent.of("Pear")).isFalse();
        }
        assertThat(asked).containsExactly("Apple", "Pear");
    }

    @Test
    void keysOfOnePlaceAreToldApart() {
        assertThat("Aa").hasSameHashCodeAs("BB");
        for (int i = 0; i < 3; i++) {
            assertThat(recent.of("Aa")).isTrue();
            assertThat(recent.of("BB")).isFalse();
        }
    }

    @Test
    void manyKeysTakeTheSamePlaces() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(recent.of((i % 2 == 0 ? "A" : "B") + i)).isEqualTo(i % 2 == 0);
        }
        asked.clear();
        for (int i = 0; i < 10_000; i++) {
            assertThat(recent.of((i % 2 == 0 ? "A" : "B") + i)).isEqualTo(i % 2 == 0);
        }
        assertThat(asked.size()).isGreaterThan(9_900);
    }
}
