package dev.serval.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs a short soak, which finds the faults of a soak's first seconds.
@Tag("long")
final class ServletSoakTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir private Path folder;

    /// Returns the command of the server with the classes of this build.
    private static List<String> server() {
        return List.of(
                JAVA,
                ServletSoak.HEAP,
                "-XX:+UseSerialGC",
                // As many loops, threads and classes on each machine, for the limits of growth.
                "-XX:ActiveProcessorCount=4",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.serval.server.Main");
    }

    @Test
    void noAnswerIsWrongNothingHangsAndNothingIsLeft() throws Exception {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
        Path log = folder.resolve("log");
        boolean passed = new ServletSoak(server(), Duration.ofSeconds(12), 40, log, out).run();
        assertThat(passed).as(text.toString(StandardCharsets.UTF_8)).isTrue();
        assertThat(Files.readString(log)).contains("Stopped.");
    }
}
