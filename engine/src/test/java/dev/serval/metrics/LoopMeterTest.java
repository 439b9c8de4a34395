package dev.serval.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LoopMeterTest {
    private final LoopMeter meter = new LoopMeter();
    private final List<Long> flushes = new ArrayList<>();
    private boolean waits;

    @Test
    void recordsTurnsAndNotTheTimeBetweenThem() {
        turn(1_000, 6_000);
        turn(1_000_000, 1_002_000);
        assertThat(meter.turns().count()).isEqualTo(2);
        assertThat(meter.turns().sumNanos()).isEqualTo(7_000);
        assertThat(meter.busyNanos()).isEqualTo(7_000);
    }

    @Test
    void endOfTurnIsAFlushForWhatStillWaits() {
        observe();
        waits = true;
        turn(1_000, 6_000);
        assertThat(flushes).containsExactly(5_000L);
    }

    @Test
    void laterPartOfATurnCountsFromTheFlushBefore() {
        observe();
        waits = true;
        meter.began(1_000);
        assertThat(meter.awaitsFlush()).isTrue();
        meter.flushed(3_000);
        waits = true;
        meter.ended(10_000);
        assertThat(flushes).containsExactly(2_000L, 7_000L);
        assertThat(meter.busyNanos()).isEqualTo(9_000);
    }

    @Test
    void tellsNobodyWhoDoesNotWait() {
        observe();
        turn(1_000, 6_000);
        assertThat(meter.awaitsFlush()).isFalse();
        assertThat(flushes).isEmpty();
    }

    @Test
    void countsTurnsThatAreNeverRecorded() {
        meter.count();
        meter.count();
        assertThat(meter.counted()).isEqualTo(2);
        assertThat(meter.turns().count()).isZero();
    }

    private void turn(long from, long to) {
        meter.began(from);
        meter.ended(to);
    }

    private void observe() {
        meter.observer(
                new LoopMeter.Observer() {
                    @Override
                    public boolean awaitsFlush() {
                        return waits;
                    }

                    @Override
                    public void flushed(long nanos) {
                        waits = false;
                        flushes.add(nanos);
                    }
                });
    }
}
