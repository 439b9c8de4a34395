package dev.serval.soak.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.soak.BuiltServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WholeSoakTest {
    @TempDir private Path folder;

    /// Runs everything for some seconds, which finds the faults of a soak's first seconds. Times are
    /// not judged.
    @Test
    @Tag("long")
    void noAnswerIsWrongAndNothingIsLeft() throws Exception {
        assumeThat(Path.of("/proc/self")).as("needs Linux").exists();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        PrintStream out = new PrintStream(text, true, StandardCharsets.UTF_8);
        Path results = folder.resolve("results");
        WholeSettings settings =
                new WholeSettings(
                        BuiltServer.command("-Xmx256m"),
                        Duration.ofSeconds(12),
                        8,
                        8,
                        4,
                        false,
                        256,
                        results,
                        folder.resolve("log"));
        boolean passed = new WholeSoak(settings, out).run();
        assertThat(passed).as(text.toString(StandardCharsets.UTF_8)).isTrue();
        assertThat(files(results)).hasSize(2).anyMatch(name -> name.endsWith(".json"));
        assertThat(text.toString(StandardCharsets.UTF_8))
                .contains("Every promise was kept", "malformed 400", "reload done");
    }

    private static List<String> files(Path folder) throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(Path::toString).toList();
        }
    }

    @Test
    void addsTheLogOfTheCollectorToTheOptionsOfTheJvm() {
        Path log = Path.of("gc.log");
        assertThat(WholeSoak.withCollectorLog(List.of("java", "-Xmx1m", "Main"), log))
                .containsExactly("java", "-Xmx1m", "-Xlog:gc:file=gc.log", "Main");
        assertThat(WholeSoak.withCollectorLog(List.of("env", "JAVA_OPTS=-Xmx1m", "serval"), log))
                .containsExactly("env", "JAVA_OPTS=-Xmx1m -Xlog:gc:file=gc.log", "serval");
    }
}
