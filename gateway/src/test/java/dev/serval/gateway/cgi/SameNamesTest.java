package dev.serval.gateway.cgi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SameNamesTest {
    /// Three names in turn. It counts how often they are compared and read.
    private static final class Turns implements SameNames.Names {
        private final int count;
        private int compared;
        private int read;

        Turns(int count) {
            this.count = count;
        }

        @Override
        public int count() {
            return count;
        }

        @Override
        public boolean same(int a, int b) {
            compared++;
            return a % 3 == b % 3;
        }

        @Override
        public Object key(int i) {
            read++;
            return i % 3;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, SameNames.FEW_MAX, SameNames.FEW_MAX + 1, 1000})
    void eachNameLeadsToTheNextOne(int count) {
        SameNames same = SameNames.of(new Turns(count));
        for (int i = 0; i < count; i++) {
            assertThat(same.isFirst(i)).isEqualTo(i < 3);
            assertThat(same.next(i)).isEqualTo(i + 3 < count ? i + 3 : -1);
        }
    }

    @Test
    void manyNamesAreReadOnceAndNotComparedWithEachOther() {
        Turns few = new Turns(SameNames.FEW_MAX);
        SameNames _ = SameNames.of(few);
        assertThat(few.read).as("memory for few").isZero();
        Turns many = new Turns(10_000);
        SameNames _ = SameNames.of(many);
        assertThat(many.compared).isZero();
        assertThat(many.read).isEqualTo(10_000);
    }
}
