package dev.serval.soak.flood;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.soak.subject.Remains;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CrowdSoakTest {
    private static final Remains HELD = new Remains(1000, Map.of(), 10, 20);

    private static GoodClient.Outcome good(double millis, int timeouts, int wrong) {
        return new GoodClient.Outcome(List.of(1.0, millis), millis, timeouts, wrong);
    }

    @Test
    void keepsThePromiseAtItsLimits() {
        assertThat(CrowdSoak.broken(good(100, 0, 0), HELD, HELD, false)).isEmpty();
    }

    @Test
    void namesWhatBreaksThePromise() {
        Remains grown = new Remains(1001 + (8 << 20), Map.of(), 10, 20);
        assertThat(CrowdSoak.broken(good(100.1, 1, 2), HELD, grown, true))
                .hasSize(4)
                .anyMatch(line -> line.contains("The heap grew"))
                .anyMatch(line -> line.contains("2 wrong answers and 1 timeouts"))
                .anyMatch(line -> line.contains("p99"))
                .anyMatch(line -> line.contains("OutOfMemoryError"));
    }
}
