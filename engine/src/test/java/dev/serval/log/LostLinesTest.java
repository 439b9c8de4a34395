package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.loop.FakeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Messages about lines for which a ring had no room.
final class LostLinesTest {
    private final FakeClock clock = new FakeClock();
    private final List<String> told = new ArrayList<>();
    private final LostLines lines = new LostLines(clock, told::add);

    @Test
    void tellsAtOnceAndThenOnceAMinute() {
        lines.tell(0);
        assertThat(told).isEmpty();
        lines.tell(1);
        assertThat(told).hasSize(1);
        assertThat(told.getFirst()).startsWith("1 line of the access logs was dropped");
        lines.tell(500);
        clock.advance(Duration.ofSeconds(59));
        lines.tell(700);
        assertThat(told).hasSize(1);
        clock.advance(Duration.ofSeconds(1));
        lines.tell(701);
        assertThat(told).hasSize(2);
        assertThat(told.getLast()).startsWith("700 lines of the access logs were dropped");
    }

    @Test
    void saysNothingTwice() {
        lines.tell(5);
        clock.advance(Duration.ofHours(1));
        lines.tell(5);
        assertThat(told).hasSize(1);
    }
}
