package dev.serval.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Arrays are used again, and never by two at a time.
final class SpareArraysTest {
    private static final int MANY = 200;

    private final SpareArrays spares = new SpareArrays();

    @Test
    void givesAKeptArrayOnce() {
        byte[] kept = spares.take();
        spares.keep(kept);
        assertThat(spares.take()).isSameAs(kept);
        assertThat(spares.take()).isNotSameAs(kept).hasSize(SpareArrays.ARRAY_BYTES);
    }

    @Test
    void keepsNoArrayOfAnotherLength() {
        byte[] other = new byte[SpareArrays.ARRAY_BYTES + 1];
        spares.keep(other);
        assertThat(spares.take()).isNotSameAs(other).hasSize(SpareArrays.ARRAY_BYTES);
    }

    @Test
    void keepsAFewOfMany() {
        Set<byte[]> given = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < MANY; i++) {
            byte[] array = new byte[SpareArrays.ARRAY_BYTES];
            given.add(array);
            spares.keep(array);
        }
        int again = 0;
        while (given.remove(spares.take())) {
            again++;
        }
        assertThat(again).isBetween(1, MANY / 2);
    }
}
