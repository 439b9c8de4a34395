package dev.serval.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The options that the launchers choose for the JVM.
final class LauncherOptionsTest {
    private static final String LARGE = "-Xms96m -XX:NewSize=64m -XX:+UseSerialGC";
    private static final String SMALL = "-Xms32m -XX:+UseSerialGC";

    @ParameterizedTest
    @CsvSource({
        "'', " + LARGE,
        "-Dx=y, " + LARGE,
        "-Xmx2g, " + LARGE,
        "-Xmx1G -ea, " + LARGE,
        "-Xmx192m, " + LARGE,
        "-Xmx196608k, " + LARGE,
        "-Xmx201326592, " + LARGE,
        "-Xmx64m -Xmx512M, " + LARGE,
        "-Xmx128m, " + SMALL,
        "-Xmx191M, " + SMALL,
        "-Xmx65536k, " + SMALL,
        "-Xmx134217728, " + SMALL,
        "-Xmx1g -Xms256m, " + SMALL,
        "-Xmn16m, " + SMALL,
        "-XX:NewRatio=1, " + SMALL,
        "-XX:MaxHeapSize=64m, " + SMALL,
        "-XX:MaxRAMPercentage=50, " + SMALL,
        "-XX:+UseG1GC, -Xms32m",
        "-XX:+UseZGC, -Xms32m",
        "-XX:+UseParallelGC -Xmx1g, -Xms32m"
    })
    void choiceLeavesThatOfTheUser(String javaOpts, String chosen) throws Exception {
        assertThat(options(javaOpts)).isEqualTo(chosen + " -Xlog:aot=off -Xlog:cds=off");
        assertStarts(javaOpts);
    }

    @Test
    void sizeThatIsNoneIsLeftToTheJvm() throws Exception {
        assertThat(options("-Xmx")).startsWith(SMALL);
        assertThat(options("-Xmxlarge")).startsWith(SMALL);
    }

    /// Starts a JVM with the options, which must print neither an error nor a warning.
    private static void assertStarts(String javaOpts) throws Exception {
        String java = ProcessHandle.current().info().command().orElseThrow();
        String said = shell("\"$1\" $options $JAVA_OPTS -version 2>&1", javaOpts, java);
        assertThat(said).contains("Server VM").doesNotContainIgnoringCase("warning", "error");
    }

    private static String options(String javaOpts) throws Exception {
        return shell("printf %s \"$options\"", javaOpts, "");
    }

    private static String shell(String command, String javaOpts, String argument)
            throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(
                        "sh",
                        "-euc",
                        ". packaging/launch.sh; choose_options; " + command,
                        "sh",
                        argument);
        builder.directory(SourceTree.read().root().toFile()).redirectErrorStream(true);
        builder.environment().put("JAVA_OPTS", javaOpts);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
