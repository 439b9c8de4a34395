package dev.serval.applications;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The smallest cell of the benchmark `shop` on Serval: a few users for some seconds. The test checks
/// that all answers are right, and no time.
@Timeout(300)
final class ShopBenchmarkTest {
    private static final long PATIENCE_SECONDS = 280;

    @TempDir Path folder;

    @Test
    void fewUsersGetRightAnswersAndTheDatabaseAgrees() throws Exception {
        Path printed = folder.resolve("printed");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-jar",
                                "bench/target/serval-bench.jar",
                                "shop",
                                "--cells",
                                "few",
                                "--peers",
                                "serval",
                                "--quick",
                                "--out",
                                folder.toString())
                        .directory(root().toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(printed.toFile())
                        .start();
        try {
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroy();
            Process _ = process.onExit().join();
        }
        String text = Files.readString(printed);
        assertThat(process.exitValue()).as(text).isZero();
        assertThat(text).containsPattern("few, serval .* 0 of [1-9][0-9]* +agree");
        assertThat(json()).contains("\"cell\" : \"few\"");
    }

    /// Returns the folder of the project, in which the suite finds the jars.
    private static Path root() {
        return Path.of(System.getProperty("serval.bench", "bench/target"))
                .toAbsolutePath()
                .normalize()
                .resolve("../..")
                .normalize();
    }

    private String json() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(".json")).toList();
            assertThat(found).hasSize(1);
            return Files.readString(found.getFirst());
        }
    }
}
