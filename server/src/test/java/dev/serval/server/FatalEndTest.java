package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Ends a process that has no memory left, in its own JVM.
@Timeout(60)
final class FatalEndTest {
    /// Fills its heap, then calls [FatalEnd].
    static final class Full {
        private Full() {}

        /// Fills the heap, and never returns.
        public static void main(String[] arguments) {
            FatalEnd end = new FatalEnd();
            @Nullable Object @Nullable [] roots = null;
            for (int bytes = 1 << 16; bytes >= 16; bytes /= 2) {
                try {
                    while (true) {
                        roots = new @Nullable Object[] {roots, new byte[bytes]};
                    }
                } catch (OutOfMemoryError e) {
                    // Continues with smaller objects.
                }
            }
            end.run();
            System.out.println(roots == null); // it is reachable up to here
        }
    }

    @Test
    void endsProcessWithoutMemoryWithExitCodeAndLine() throws Exception {
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
                            "serval: The server ends, because memory ran out or one of its threads"
                                    + " failed.\n");
            assertThat(full.getInputStream().readAllBytes()).isEmpty();
        } finally {
            full.destroyForcibly();
        }
    }
}
