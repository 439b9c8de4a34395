package dev.serval.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs a short soak, which finds the faults of a soak's first seconds.
@Tag("long")
final class ServletSoakTest {
    @TempDir private Path folder;

    @Test
    void noAnswerIsWrongNothingHangsAndNothingIsLeft() throws Exception {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
        Path log = folder.resolve("log");
        boolean passed =
                new ServletSoak(
                                BuiltServer.command(ServletSoak.HEAP),
                                Duration.ofSeconds(12),
                                40,
                                log,
                                out)
                        .run();
        assertThat(passed).as(text.toString(StandardCharsets.UTF_8)).isTrue();
        assertThat(Files.readString(log)).contains("Stopped.");
    }
}
