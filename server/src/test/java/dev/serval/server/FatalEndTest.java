package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The end of a process that has no memory left, in a JVM of its own.
@Timeout(60)
final class FatalEndTest {
    /// Fills its heap, then has it ended.
    static final class Full {
        private Full() {}

        /// Never returns.
        public static void main(String[] arguments) {
            FatalEnd end = new FatalEnd();
            @Nullable Object @Nullable [] roots = null;
            for (int bytes = 1 << 16; bytes >= 16; bytes /= 2) {
                try {
                    while (true) {
                        roots = new @Nullable Object[] {roots, new byte[bytes]};
                    }
                } catch (OutOfMemoryError e) {
                    // On with smaller ones.
                }
            }
            end.run();
            System.out.println(roots == null); // it is reachable up to here
        }
    }

    @Test
    void aProcessWithoutMemoryEndsWithItsOwnExitCodeAndALine() throws Exception {
        Process full =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx16m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty(
                                        "surefire.test.class.path",
                                        System.getProperty("java.class.path")),
                                Full.class.getName())
                        .start();
        try {
            assertThat(full.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(full.exitValue()).isEqualTo(70);
            assertThat(new String(full.getErrorStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .isEqualTo(
                            "serval: The server cannot go on, since memory ran out or a thread of its"
                                    + " own failed; it ends.\n");
            assertThat(full.getInputStream().readAllBytes()).isEmpty();
        } finally {
            full.destroyForcibly();
        }
    }
}
