package dev.serval.servlet.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The files of the scan cache: values, limits, damage and several servers.
@Timeout(60)
final class FileScanCacheTest {
    private static final FileScanLimits LIMITS = new FileScanLimits(100, 10_000, 16);

    @TempDir private Path folder;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private FileScanCache open(FileScanLimits limits) throws IOException {
        return FileScanCache.open(folder, limits, () -> now);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        }
    }

    @Test
    void keepsValuesForTheNextServer() throws IOException {
        open(LIMITS).write("scan-1-ab.c", new byte[] {1, 2});
        open(LIMITS).write("empty", new byte[0]);
        assertThat(open(LIMITS).read("scan-1-ab.c")).containsExactly(1, 2);
        assertThat(open(LIMITS).read("empty")).isEmpty();
        assertThat(open(LIMITS).read("other")).isNull();
    }

    @Test
    void replacesAValue() throws IOException {
        FileScanCache cache = open(LIMITS);
        cache.write("a", new byte[] {1});
        cache.write("a", new byte[] {2, 3});
        assertThat(cache.read("a")).containsExactly(2, 3);
        assertThat(files()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "a\\b", "a b", "ä", "a:b", "a\0"})
    void refusesOtherKeys(String key) throws IOException {
        FileScanCache cache = open(LIMITS);
        assertThatThrownBy(() -> cache.read(key)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> cache.write(key, new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void keysOfDotsStayInTheFolder() throws IOException {
        open(LIMITS).write("..", new byte[] {1});
        assertThat(files()).hasSize(1);
        assertThat(open(LIMITS).read("..")).containsExactly(1);
    }

    @Test
    void ignoresAndDeletesEveryDamagedFile() throws IOException {
        FileScanCache cache = open(LIMITS);
        cache.write("a", new byte[] {1, 2, 3});
        Path file = files().getFirst();
        byte[] whole = Files.readAllBytes(file);
        for (int i = 0; i < whole.length; i++) {
            byte[] changed = whole.clone();
            changed[i] ^= 4;
            Files.write(file, changed);
            assertThat(cache.read("a")).as("changed byte %d", i).isNull();
            assertThat(file).doesNotExist();
            Files.write(file, java.util.Arrays.copyOf(whole, i));
            assertThat(cache.read("a")).as("cut at %d", i).isNull();
        }
        Files.write(file, whole);
        assertThat(cache.read("a")).containsExactly(1, 2, 3);
    }

    @Test
    void valueOfAnotherKeyDoesNotCount() throws IOException {
        FileScanCache cache = open(LIMITS);
        cache.write("a", new byte[] {1});
        Files.move(files().getFirst(), folder.resolve("k-b"));
        assertThat(cache.read("b")).isNull();
    }

    @Test
    void keepsNoValueAboveTheLimit() throws IOException {
        FileScanCache cache = open(LIMITS);
        cache.write("a", new byte[100]);
        cache.write("b", new byte[101]);
        assertThat(cache.read("a")).hasSize(100);
        assertThat(cache.read("b")).isNull();
    }

    @Test
    void deletesWhatWasNotUsedForLongest() throws IOException {
        FileScanCache cache = open(LIMITS);
        for (int i = 0; i < 40; i++) {
            now = now.plusSeconds(1);
            cache.write("k" + i, new byte[] {1});
            now = now.plusSeconds(1);
            assertThat(cache.read("k0")).as("used after write %d", i).isNotNull();
            assertThat(files()).hasSizeLessThanOrEqualTo(16);
        }
        assertThat(cache.read("k39")).isNotNull();
        assertThat(cache.read("k1")).isNull();
    }

    @Test
    void staysWithinItsBytes() throws IOException {
        FileScanCache cache = open(new FileScanLimits(100, 1_000, 1_000));
        for (int i = 0; i < 50; i++) {
            cache.write("k" + i, new byte[i % 101]);
            long bytes = 0;
            for (Path file : files()) {
                bytes += Files.size(file);
            }
            assertThat(bytes).isLessThanOrEqualTo(1_000);
        }
        assertThat(files()).isNotEmpty();
    }

    @Test
    void deletesTemporaryFilesOfCrashedServers() throws IOException {
        Path old = Files.createFile(folder.resolve("t-old"));
        Path fresh = Files.createFile(folder.resolve("t-fresh"));
        Files.setLastModifiedTime(old, FileTime.from(now.minusSeconds(4_000)));
        Files.setLastModifiedTime(fresh, FileTime.from(now));
        open(LIMITS).write("a", new byte[0]);
        assertThat(old).doesNotExist();
        assertThat(fresh).exists();
    }

    @Test
    void serversMayShareTheFolder() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> all = new ArrayList<>();
            for (int server = 0; server < 4; server++) {
                FileScanCache cache = open(LIMITS);
                all.add(
                        threads.submit(() -> {
                            for (int i = 0; i < 200; i++) {
                                byte[] value = {(byte) (i % 20)};
                                cache.write("k" + i % 20, value);
                                byte[] read = cache.read("k" + (i + 7) % 20);
                                assertThat(read == null || read[0] == (i + 7) % 20).isTrue();
                            }
                            return null;
                        }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        assertThat(files()).hasSizeLessThanOrEqualTo(16 + 4 * 2);
    }
}
