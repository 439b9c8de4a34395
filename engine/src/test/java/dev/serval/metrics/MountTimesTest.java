package dev.serval.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// The requests of mounts on one loop, and their sums.
final class MountTimesTest {
    private static final long MILLI = 1_000_000;

    /// A request that has ended.
    private record Ended(int mount, int status, long totalNanos, long queueNanos)
            implements EndedRequest {
        @Override
        public long nanos(RequestPhase phase) {
            return switch (phase) {
                case QUEUE -> queueNanos;
                case HANDLER -> totalNanos - queueNanos;
                case HEAD, WRITE -> 0;
            };
        }

        @Override
        public boolean isRefused() {
            return false;
        }

        @Override
        public long group() {
            return 0;
        }

        @Override
        public String name() {
            return "GET /";
        }

        @Override
        public long endedEpochSeconds() {
            return 0;
        }
    }

    @Test
    void statusThatNoClassHasCountsAsNone() {
        MountTimes times = new MountTimes();
        for (int status : new int[] {0, 99, 100, 599, 600, 999}) {
            times.count(status, false);
        }
        MountFigures read = times.read("/");
        assertThat(read.responses(0)).isEqualTo(4);
        assertThat(read.responses(1)).isEqualTo(1);
        assertThat(read.responses(5)).isEqualTo(1);
        assertThat(read.requests()).isEqualTo(6);
    }

    @Test
    void refusalsAreNoErrors() {
        MountTimes times = new MountTimes();
        times.count(503, false);
        times.count(503, true);
        times.count(503, true);
        times.count(429, true);
        times.count(0, true);
        MountFigures read = times.read("/");
        assertThat(read.requests()).isEqualTo(5);
        assertThat(read.responses(5)).isEqualTo(3);
        assertThat(read.errors(5)).isEqualTo(1);
        assertThat(read.errors(4)).isZero();
        assertThat(read.refused()).isEqualTo(4);
        MountTotals sums = new MountTotals();
        times.addTo(sums);
        times.addTo(sums);
        assertThat(sums.figures("all").refused()).isEqualTo(8);
        assertThat(sums.figures("all").minus(read).errors(5)).isEqualTo(1);
    }

    @Test
    void phaseWithoutATimeIsNotRecorded() {
        MountTimes times = new MountTimes();
        times.record(new Ended(0, 200, 3 * MILLI, MILLI));
        times.record(new Ended(0, 200, 3 * MILLI, 0));
        MountFigures read = times.read("/");
        assertThat(read.times(RequestPhase.QUEUE).count()).isEqualTo(1);
        assertThat(read.times(RequestPhase.HANDLER).count()).isEqualTo(2);
        assertThat(read.times(RequestPhase.WRITE).count()).isZero();
    }

    @Test
    void allMountsOfATurnGetItsTime() {
        RequestTimes times = new RequestTimes(3);
        for (int mount = 0; mount < 3; mount++) {
            times.ended(new Ended(mount, 200, 0, 0), "/", 0);
        }
        assertThat(times.awaitsFlush()).isTrue();
        times.flushed(5 * MILLI);
        assertThat(times.awaitsFlush()).isFalse();
        for (int mount = 0; mount < 3; mount++) {
            assertThat(times.read(mount, "/").times().sumNanos()).isEqualTo(5 * MILLI);
        }
    }

    @Test
    void figuresAreAddedAndSubtracted() {
        MountTimes times = new MountTimes();
        times.count(200, false);
        times.record(new Ended(0, 200, 3 * MILLI, MILLI));
        MountFigures before = times.read("/");
        times.count(500, false);
        times.record(new Ended(0, 500, 4 * MILLI, 2 * MILLI));
        MountFigures passed = times.read("/").minus(before);
        assertThat(passed.requests()).isEqualTo(1);
        assertThat(passed.responses(5)).isEqualTo(1);
        assertThat(passed.times().sumNanos()).isEqualTo(4 * MILLI);
        assertThat(passed.times(RequestPhase.QUEUE).sumNanos()).isEqualTo(2 * MILLI);
        MountFigures both = passed.plus(before);
        assertThat(both.requests()).isEqualTo(2);
        assertThat(both.times(RequestPhase.QUEUE).sumNanos()).isEqualTo(3 * MILLI);
        assertThat(before.minus(both).requests()).isZero();
    }

    @Test
    void sumsThatWereReadDoNotChange() {
        MountTimes times = new MountTimes();
        times.count(200, false);
        times.record(new Ended(0, 200, 3 * MILLI, 0));
        MountTotals sums = new MountTotals();
        times.addTo(sums);
        MountFigures first = sums.figures("all");
        times.addTo(sums);
        assertThat(first.requests()).isEqualTo(1);
        assertThat(first.times().count()).isEqualTo(1);
        assertThat(sums.figures("all").responses(2)).isEqualTo(2);
        assertThat(sums.figures("all").times().sumNanos()).isEqualTo(6 * MILLI);
    }
}
