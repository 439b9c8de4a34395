package dev.serval.soak.flood;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.soak.subject.GcLog;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FloodReportTest {
    private static final int HEAP = 256;

    @Test
    void parsesTheLogOfTheCollector() {
        GcLog log =
                GcLog.parse(
                        """
                        [0.005s][info][gc] Using Serial
                        [1.2s][info][gc] GC(0) Pause Young (Allocation Failure) 8M->1M(31M) 2.250ms
                        [1.9s][info][gc] GC(1) Pause Full (System.gc()) 180M->92M(247M) 45.5ms
                        """);
        assertThat(log).isEqualTo(new GcLog(2, 45.5, 92));
    }

    @Test
    void lateAnswerIsExcusedOnlyByNginx() {
        FloodResult quick = result(20, 0, 100, false);
        FloodResult late = result(150, 0, 100, false);
        assertThat(quick.verdict(late, HEAP)).isEqualTo("ok");
        assertThat(late.verdict(late, HEAP)).isEqualTo("as nginx");
        assertThat(late.verdict(quick, HEAP)).isEqualTo("SLOW");
    }

    @Test
    void wrongAnswerOrTooMuchMemoryFails() {
        FloodResult quick = result(20, 0, 100, false);
        assertThat(result(20, 1, 100, false).verdict(quick, HEAP)).isEqualTo("REFUSED");
        assertThat(result(20, 0, 481, false).verdict(quick, HEAP)).isEqualTo("MEMORY");
        assertThat(result(20, 0, 480, false).verdict(quick, HEAP)).isEqualTo("ok");
        assertThat(result(20, 0, 100, true).verdict(quick, HEAP)).isEqualTo("MEMORY");
    }

    @Test
    void rowIsAsLongAsTheHeader() {
        assertThat(result(20, 0, 100, false).row("ok")).hasSameSizeAs(FloodResult.HEADER);
    }

    private static FloodResult result(double worst, int wrong, long resident, boolean outOfMemory) {
        return new FloodResult(
                Flood.CHURN,
                "serval",
                500,
                new GoodClient.Outcome(List.of(1.0, worst), 1.0, 0, wrong),
                new long[4],
                10,
                resident,
                new GcLog(0, 0, 0),
                20,
                outOfMemory);
    }
}
