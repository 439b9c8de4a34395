package dev.serval.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Runs a short soak, which finds the faults of a soak's first seconds.
@Tag("long")
final class WorkerSoakTest {
    @Test
    void noAnswerIsWrongNothingHangsAndNothingIsLeft() throws Exception {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
        boolean passed = new WorkerSoak(Duration.ofSeconds(12), 100, out).run();
        assertThat(passed).as(text.toString(StandardCharsets.UTF_8)).isTrue();
    }
}
