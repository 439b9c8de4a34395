package dev.serval.servlet;

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

/// Runs jcstress over the `…Stress` classes of this module, in separate JVMs. Here it runs for a
/// short time, and with `./serval stress` for any time.
@Tag("long")
final class JcstressTest {
    private static final String SHORT =
            "-m quick -sc false -af NONE -f 1 -fsm 1 -time 200 -iters 3 -hs 128";

    @Test
    void noForbiddenOutcomeIsSeen(@TempDir Path folder) throws IOException, InterruptedException {
        String mode = System.getProperty("serval.stress", "short");
        String asked = System.getProperty("serval.stress.servlet.log", "");
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
        Stream<String> start =
                Stream.of(java, "-cp", path, "org.openjdk.jcstress.Main", "-r", folder.toString());
        Stream<String> how =
                mode.equals("short")
                        ? Stream.concat(
                                Stream.of(SHORT.split(" ", -1)),
                                Stream.of("-jvmArgs", "-XX:+UseSerialGC"))
                        : Stream.of("-m", mode);
        return Stream.of(start, how, Stream.of("-t", "dev.serval.servlet"))
                .flatMap(parts -> parts)
                .toList();
    }
}
