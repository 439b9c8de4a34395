package dev.serval.bench.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ThoughtsTest {
    /// An instant of the clock, which overflows soon afterwards.
    private static final long NOW = instant();

    private static long instant() {
        return Long.MAX_VALUE - 15;
    }

    private final Thoughts thoughts = new Thoughts();
    private final List<Long> acted = new ArrayList<>();

    private Thoughts.Thinker thinker(long after) {
        return new Thoughts.Thinker() {
            @Override
            public long dueNanos() {
                return NOW + after;
            }

            @Override
            public void thought() {
                acted.add(after);
            }
        };
    }

    @Test
    void usersActInTheOrderOfTheirInstants() {
        for (long after : new long[] {20, 10, 30, 15}) {
            thoughts.add(thinker(after));
        }
        thoughts.act(NOW + 9);
        assertThat(acted).isEmpty();
        thoughts.act(NOW + 20);
        assertThat(acted).containsExactly(10L, 15L, 20L);
        thoughts.act(NOW + 30);
        assertThat(acted).containsExactly(10L, 15L, 20L, 30L);
    }

    @Test
    void pauseEndsWithTheNextThought() {
        assertThat(thoughts.pauseNanos(NOW, 50)).isEqualTo(50);
        thoughts.add(thinker(20));
        assertThat(thoughts.pauseNanos(NOW, 50)).isEqualTo(20);
        assertThat(thoughts.pauseNanos(NOW, 10)).isEqualTo(10);
        assertThat(thoughts.pauseNanos(NOW + 25, 50)).isEqualTo(-5);
    }

    @Test
    void removedThoughtDoesNothing() {
        Thoughts.Thinker leaver = thinker(10);
        thoughts.add(leaver);
        thoughts.add(thinker(20));
        thoughts.remove(leaver);
        thoughts.act(NOW + 20);
        assertThat(acted).containsExactly(20L);
        thoughts.add(thinker(30));
        thoughts.clear();
        thoughts.act(NOW + 40);
        assertThat(acted).containsExactly(20L);
    }
}
