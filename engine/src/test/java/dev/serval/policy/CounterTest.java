package dev.serval.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/// What the counters of refusals are called.
final class CounterTest {
    @Test
    void everyRefusalHasWordsForPeople() {
        for (Counter counter : Counter.values()) {
            String words = Counter.words(counter.text());
            if (counter.name().contains("_REFUSED")) {
                assertThat(counter.isRefusal()).as(counter.name()).isTrue();
                assertThat(words).isNotEqualTo(counter.text()).doesNotContain("_");
            } else {
                assertThat(counter.isRefusal()).as(counter.name()).isFalse();
            }
        }
        assertThat(Counter.words("requests_refused_load")).contains("load too high");
        assertThat(Arrays.stream(Counter.values()).map(one -> Counter.words(one.text())))
                .doesNotHaveDuplicates();
    }

    @Test
    void violationsOfTheProtocolAreWordsAlready() {
        assertThat(Counter.words("A request has two Host fields")).startsWith("A request has");
        assertThat(Counter.words(LabelledCounter.OTHER)).isEqualTo("other");
    }
}
