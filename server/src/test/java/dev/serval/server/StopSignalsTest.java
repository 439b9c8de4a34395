package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Which signals stop the server and which end it at once, with a clock that the test moves.
final class StopSignalsTest {
    private static final int SIGINT = 2;
    private static final int SIGTERM = 15;

    private final List<Integer> ended = new ArrayList<>();
    private long nanos = -5_000_000_000L;
    private final StopSignals signals = new StopSignals(() -> nanos, ended::add);

    @Test
    @Timeout(10)
    void firstSignalStops() {
        signals.arrived(SIGTERM);

        signals.await(Duration.ofDays(1), () -> ended.add(0));
        assertThat(ended).isEmpty();
    }

    @Test
    @Timeout(60)
    void upkeepRunsUntilTheFirstSignal() {
        List<Integer> runs = new ArrayList<>();

        signals.await(
                Duration.ofMillis(1),
                () -> {
                    runs.add(runs.size());
                    if (runs.size() == 3) {
                        signals.arrived(SIGINT);
                    }
                });

        assertThat(runs).containsExactly(0, 1, 2);
    }

    @Test
    void secondSignalEndsWithItsNumber() {
        signals.arrived(SIGINT);
        nanos += 500_000_001;
        signals.arrived(SIGTERM);

        assertThat(ended).containsExactly(143);
    }

    @Test
    void repeatedSignalCountsOnce() {
        signals.arrived(SIGTERM);
        signals.arrived(SIGTERM);
        nanos += 500_000_000;
        signals.arrived(SIGTERM);

        assertThat(ended).isEmpty();
    }
}
