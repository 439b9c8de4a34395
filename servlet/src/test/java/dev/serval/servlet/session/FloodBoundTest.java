package dev.serval.servlet.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// The bound of unconfirmed sessions follows the collections of the heap.
final class FloodBoundTest {
    private static final HeapGauge.Reading SHORT = new HeapGauge.Reading(76, 100);
    private static final HeapGauge.Reading SHORT_AGAIN = new HeapGauge.Reading(77, 100);
    private static final HeapGauge.Reading ENOUGH = new HeapGauge.Reading(75, 100);
    private static final HeapGauge.Reading ENOUGH_AGAIN = new HeapGauge.Reading(74, 100);
    private static final int MAX = 10_000;

    private HeapGauge.Reading heap = HeapGauge.Reading.NONE;
    private int readings;
    private long now = Long.MAX_VALUE; // overflows
    private final FloodBound bound =
            new FloodBound(
                    MAX,
                    () -> {
                        readings++;
                        return heap;
                    },
                    now);

    /// Returns the bound 11 ms later.
    private int later(int unconfirmed) {
        now += TimeUnit.MILLISECONDS.toNanos(11);
        return bound.unconfirmedMax(unconfirmed, now);
    }

    @Test
    void collectionThatLeavesLittleCutsToThreeQuarters() {
        assertThat(later(4_000)).isEqualTo(MAX);
        assertThat(bound.isCut()).isFalse();
        heap = SHORT;
        assertThat(later(4_000)).isEqualTo(3_000);
        assertThat(bound.isCut()).isTrue();
    }

    @Test
    void eachCollectionCountsOnce() {
        heap = SHORT;
        assertThat(later(4_000)).isEqualTo(3_000);
        assertThat(later(3_000)).isEqualTo(3_000);
        heap = SHORT_AGAIN;
        assertThat(later(3_000)).isEqualTo(2_250);
    }

    @Test
    void collectionThatLeavesEnoughDoubles() {
        heap = SHORT;
        assertThat(later(4_000)).isEqualTo(3_000);
        heap = ENOUGH;
        assertThat(later(3_000)).isEqualTo(6_000);
        assertThat(later(3_000)).isEqualTo(6_000);
        heap = ENOUGH_AGAIN;
        assertThat(later(50)).isEqualTo(MAX); // also while few exist
        assertThat(bound.isCut()).isFalse();
    }

    @Test
    void boundHasAFloor() {
        heap = SHORT;
        assertThat(later(FloodBound.UNCONFIRMED_MIN)).isEqualTo(FloodBound.UNCONFIRMED_MIN);
        heap = SHORT_AGAIN;
        assertThat(later(10)).isEqualTo(FloodBound.UNCONFIRMED_MIN);
        FloodBound tiny = new FloodBound(3, () -> SHORT, 0);
        assertThat(tiny.unconfirmedMax(1_000, Long.MAX_VALUE)).isEqualTo(3);
    }

    @Test
    void cutNeverRaisesTheBound() {
        heap = SHORT;
        assertThat(later(400)).isEqualTo(300);
        heap = SHORT_AGAIN;
        assertThat(later(1_000)).isEqualTo(300);
    }

    @Test
    void heapIsReadSeldomAndOnlyForManySessions() {
        later(FloodBound.UNCONFIRMED_MIN - 1);
        assertThat(readings).isZero();
        later(FloodBound.UNCONFIRMED_MIN);
        assertThat(readings).isEqualTo(1);
        now += TimeUnit.MILLISECONDS.toNanos(10);
        bound.unconfirmedMax(MAX, now);
        assertThat(readings).isEqualTo(1);
        now += 1;
        bound.unconfirmedMax(MAX, now);
        assertThat(readings).isEqualTo(2);
    }

    @Test
    void heapOfThisJvmHasReadings() {
        System.gc();
        HeapGauge.Reading first = new JvmHeap().latest();
        assertThat(first.usedBytes()).isPositive().isLessThan(first.maxBytes());
        assertThat(first.isShort()).isFalse();
    }
}
