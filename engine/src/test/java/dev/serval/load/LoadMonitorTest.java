package dev.serval.load;

import static dev.serval.policy.LoadMode.CRITICAL;
import static dev.serval.policy.LoadMode.HEAVY;
import static dev.serval.policy.LoadMode.LIGHT;
import static dev.serval.policy.LoadMode.NORMAL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Limits;
import dev.serval.policy.LoadMode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When each load mode begins and ends. The test is the clock.
final class LoadMonitorTest {
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final long LOOK = 100 * MILLI;
    private static final long FALL = 500 * MILLI;
    private static final long LASTING = LoadMonitor.LASTING_NANOS + LoadMonitor.LOOK_NANOS;

    private final LoadMonitor monitor = new LoadMonitor(() -> settings(), () -> percent());
    private final List<LoadMode> changes = new ArrayList<>();
    private Limits.Loads settings = Limits.Loads.DEFAULT;
    private long now = 3 * MILLI;
    private long delay;
    private int percent;
    private int looks;

    LoadMonitorTest() {
        monitor.add(_ -> {
            looks++;
            return delay;
        });
        monitor.add(_ -> 0);
        monitor.onChange(() -> changes.add(monitor.mode()));
    }

    private Limits.Loads settings() {
        return settings;
    }

    private int percent() {
        return percent;
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, LIGHT",
        "4999, 49, LIGHT",
        "5000, 0, NORMAL",
        "0, 50, NORMAL",
        "19999, 79, NORMAL",
        "20000, 0, HEAVY",
        "0, 80, HEAVY",
        "499999, 94, HEAVY",
        "500000, 0, CRITICAL",
        "0, 95, CRITICAL",
        "500000, 50, CRITICAL",
        "5000, 95, CRITICAL"
    })
    void largerSignalDecides(long micros, int full, LoadMode mode) {
        lookFor(LASTING, micros * MICRO, full);
        assertThat(monitor.mode()).isEqualTo(mode);
        assertThat(monitor.delayNanos()).isEqualTo(micros * MICRO);
        assertThat(monitor.connectionsPercent()).isEqualTo(full);
    }

    /// The listeners hear of it even if the delay has already made the load as high.
    @Test
    void connectionsAloneMakeAModeOfTheirOwn() {
        lookFor(LASTING, 600 * MILLI, 49);
        assertThat(monitor.mode()).isEqualTo(CRITICAL);
        assertThat(monitor.ofConnections()).isEqualTo(LIGHT);
        changes.clear();
        look(600 * MILLI, 80);
        assertThat(monitor.ofConnections()).isEqualTo(HEAVY);
        assertThat(changes).containsExactly(CRITICAL);
        lookFor(4 * FALL, 600 * MILLI, 75);
        assertThat(monitor.ofConnections()).isEqualTo(HEAVY);
        lookFor(FALL, 600 * MILLI, 74);
        assertThat(monitor.ofConnections()).isEqualTo(NORMAL);
        monitor.force(CRITICAL);
        assertThat(monitor.ofConnections()).isEqualTo(CRITICAL);
    }

    @Test
    void risesAtOnceAndTellsIt() {
        look(5 * MILLI, 0);
        look(5 * MILLI, 0);
        look(20 * MILLI, 0);
        look(0, 95);
        assertThat(changes).containsExactly(NORMAL, HEAVY, CRITICAL);
        assertThat(monitor.changes()).isEqualTo(3);
    }

    @Test
    void delayIsCriticalAfterItHasLastedForASecond() {
        look(499 * MILLI, 0);
        for (int i = 0; i < LASTING / LOOK - 2; i++) {
            look(600 * MILLI, 0);
            assertThat(monitor.mode()).isEqualTo(HEAVY);
        }
        look(499 * MILLI, 0); // a shorter one in between
        lookFor(LASTING - 2 * LOOK, 600 * MILLI, 0);
        assertThat(monitor.mode()).isEqualTo(HEAVY);
        look(600 * MILLI, 0);
        assertThat(monitor.mode()).isEqualTo(CRITICAL);
    }

    @Test
    void fallsAfterHalfASecondOfLowerLoad() {
        lookFor(LASTING, 600 * MILLI, 0);
        for (int i = 0; i < FALL / LOOK - 1; i++) {
            look(0, 0);
            assertThat(monitor.mode()).isEqualTo(CRITICAL);
        }
        look(0, 0);
        assertThat(monitor.mode()).isEqualTo(LIGHT);
        assertThat(changes).containsExactly(HEAVY, CRITICAL, LIGHT);
    }

    @Test
    void fallsToTheModeThatTheLoadStillHas() {
        lookFor(LASTING, 600 * MILLI, 0);
        lookFor(FALL, 30 * MILLI, 0);
        assertThat(monitor.mode()).isEqualTo(HEAVY);
        lookFor(FALL, 0, 50);
        assertThat(monitor.mode()).isEqualTo(NORMAL);
    }

    @Test
    void loadNearTheThresholdKeepsTheMode() {
        lookFor(LASTING, 600 * MILLI, 0);
        lookFor(4 * FALL, 250 * MILLI, 0);
        assertThat(monitor.mode()).isEqualTo(CRITICAL);
        lookFor(FALL, 249 * MILLI, 0);
        assertThat(monitor.mode()).isEqualTo(HEAVY);

        look(0, 95);
        lookFor(4 * FALL, 0, 90);
        assertThat(monitor.mode()).isEqualTo(CRITICAL);
        lookFor(FALL, 0, 89);
        assertThat(monitor.mode()).isEqualTo(HEAVY);
    }

    @Test
    void criticalLastsWhileRequestsAreRefused() {
        lookFor(LASTING, 600 * MILLI, 0);
        for (int i = 0; i < 4 * FALL / LOOK; i++) {
            monitor.refused(now + LOOK - 1);
            look(100 * MILLI, 0);
        }
        assertThat(monitor.mode()).isEqualTo(CRITICAL);
        lookFor(FALL, 100 * MILLI, 0);
        assertThat(monitor.mode()).isEqualTo(HEAVY);
    }

    @Test
    void refusalsDoNotRaiseTheMode() {
        look(30 * MILLI, 0);
        monitor.refused(now);
        lookFor(FALL, 30 * MILLI, 0);
        assertThat(monitor.mode()).isEqualTo(HEAVY);
    }

    @Test
    void timeWithoutRequestsCounts() {
        lookFor(LASTING, 600 * MILLI, 0);
        now += FALL;
        look(0, 0);
        assertThat(monitor.mode()).isEqualTo(LIGHT);
    }

    @Test
    void looksOnceInATenthOfASecond() {
        monitor.look(now);
        monitor.look(now + LOOK - 1);
        assertThat(looks).isEqualTo(1);
        monitor.look(now + LOOK);
        assertThat(looks).isEqualTo(2);
    }

    @Test
    void forcedModeIsInForceWhateverTheLoadIs() {
        settings = settings.with(draft -> draft.forced = HEAVY);
        lookFor(LASTING, 600 * MILLI, 0);
        assertThat(monitor.mode()).isEqualTo(HEAVY);
        assertThat(monitor.observed()).isEqualTo(CRITICAL);
        assertThat(settings.row(CRITICAL)).isEqualTo(settings.heavy());
    }

    @Test
    void administratorForcesAModeAndGivesItBack() {
        look(0, 0);
        monitor.force(CRITICAL);
        assertThat(monitor.mode()).isEqualTo(CRITICAL);
        assertThat(monitor.observed()).isEqualTo(CRITICAL);
        assertThat(monitor.isForced()).isTrue();
        look(30 * MILLI, 0);
        monitor.force(null);
        assertThat(monitor.mode()).isEqualTo(HEAVY);
        assertThat(monitor.isForced()).isFalse();
        assertThat(changes).containsExactly(CRITICAL, CRITICAL, HEAVY);
    }

    @Test
    void thresholdsAreSettings() {
        settings = settings.with(draft -> draft.critical = draft.critical.from(30 * MILLI, 100));
        look(30 * MILLI - 1, 99);
        assertThat(monitor.mode()).isEqualTo(HEAVY);
        lookFor(LASTING, 30 * MILLI, 0);
        assertThat(monitor.mode()).isEqualTo(CRITICAL);
    }

    private void look(long nanos, int full) {
        now += LOOK;
        delay = nanos;
        percent = full;
        monitor.look(now);
    }

    private void lookFor(long time, long nanos, int full) {
        for (int i = 0; i < time / LOOK; i++) {
            look(nanos, full);
        }
    }
}
