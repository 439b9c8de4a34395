package dev.serval.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs jcstress over the `…Stress` classes of the engine, in separate JVMs. Here it runs for a
/// short time, and with `./serval stress` for any time.
@Tag("long")
final class JcstressTest {
    @Test
    void noForbiddenOutcomeIsSeen(@TempDir Path folder) throws IOException, InterruptedException {
        String mode = System.getProperty("serval.stress", "short");
        String asked = System.getProperty("serval.stress.log", "");
        Path log = asked.isEmpty() ? folder.resolve("log") : Path.of(asked);
        Process run =
                new ProcessBuilder(command(mode, folder))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        int status = run.waitFor();
        String text = Files.readString(log, StandardCharsets.ISO_8859_1);
        assertThat(status).as(text).isZero();
        assertThat(text)
                .containsPattern("; [1-9][0-9]* passed, 0 failed, 0 soft errs, 0 hard errs")
                .containsPattern("Failed tests: No matches")
                .containsPattern("Error tests: No matches");
    }

    private static List<String> command(String mode, Path folder) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = System.getProperty("java.class.path");
        List<String> start =
                List.of(java, "-cp", path, "org.openjdk.jcstress.Main", "-r", folder.toString());
        // The short mode uses one JVM for each test, with the JDK's own choice of compilers and
        // processors.
        List<String> how =
                mode.equals("short")
                        ? List.of(
                                "-m",
                                "quick",
                                "-sc",
                                "false",
                                "-af",
                                "NONE",
                                "-f",
                                "1",
                                "-fsm",
                                "1",
                                "-time",
                                "500",
                                "-iters",
                                "3",
                                "-hs",
                                "128",
                                "-jvmArgs",
                                "-XX:+UseSerialGC")
                        : List.of("-m", mode);
        return Stream.of(start, how, List.of("-t", "dev.serval")).flatMap(List::stream).toList();
    }
}
