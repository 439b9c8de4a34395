package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

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

        signals.await();
        assertThat(ended).isEmpty();
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
