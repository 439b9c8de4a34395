package dev.serval.bench.hello;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HogTest {
    @TempDir private Path root;

    @ParameterizedTest
    @CsvSource({"SPIN, 50", "PIN, 50", "SLEEP, 100"})
    void keepsItsThreadForAtLeast(Hog hog, int millis) throws Exception {
        long start = System.nanoTime();
        hog.run(root);
        assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(millis * 1_000_000L);
    }

    @Test
    void readsTheLargeFile() throws IOException, InterruptedException {
        assertThatThrownBy(() -> Hog.READ.run(root)).isInstanceOf(NoSuchFileException.class);
        Files.write(root.resolve(Hog.FILE), new byte[100_000]);
        Hog.READ.run(root);
    }
}
