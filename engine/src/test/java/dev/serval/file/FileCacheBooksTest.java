package dev.serval.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.RecordingExchange;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests the counts, the lock and the hash of the file cache: its limit and its speed depend on
/// them.
final class FileCacheBooksTest {
    private static final int PATHS = 1000;

    @TempDir private Path root;

    @Test
    void countsTheBytesOfPathsAndContents() throws IOException {
        FileHandler handler = new FileHandler(root, FileOptions.DEFAULT, LaterClock.LATER);
        long contents = 0;
        for (int i = 1; i <= 10; i++) {
            Files.write(root.resolve(i + ".txt"), new byte[i * 1000]);
            RecordingExchange.get("/" + i + ".txt").by(handler);
            contents += 1000L * i;
            assertThat(handler.cache().bytes()).isBetween(contents, contents + 2000L * i);
        }
        byte[] path = "x".repeat(500).getBytes(UTF_8);
        long shorter = new CachedFile(new byte[1], 0, Found.Other.ABSENT, 0).cost();
        assertThat(new CachedFile(path, 0, Found.Other.ABSENT, 0).cost() - shorter).isEqualTo(499);
    }

    @Test
    void everyCallReleasesTheLock() {
        FileCache cache = new FileCache(FileOptions.DEFAULT);
        byte[] path = "/a".getBytes(UTF_8);
        CachedFile entry = new CachedFile(path, cache.hash(path, 0, 2), Found.Other.ABSENT, 0);
        List<Runnable> calls =
                List.of(
                        () -> cache.put(entry, path),
                        cache::closeFiles,
                        () -> cache.closeFiles(1, 1),
                        cache::sizes,
                        cache::bytes);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            for (Runnable call : calls) {
                call.run();
                CountDownLatch done = new CountDownLatch(1);
                other.execute(() -> {
                    cache.sizes();
                    done.countDown();
                });
                Await.open("another thread gets the lock", done);
            }
        } finally {
            other.shutdownNow();
        }
    }

    /// A client that could choose paths with equal hashes would make every lookup slow.
    @Test
    void hashSpreadsPathsAndDiffersBetweenCaches() {
        FileCache one = new FileCache(FileOptions.DEFAULT);
        FileCache other = new FileCache(FileOptions.DEFAULT);
        for (String prefix : List.of("", "/folder/of/some/depth/file-")) {
            Set<Integer> hashes = new HashSet<>();
            int same = 0;
            for (int i = 0; i < PATHS; i++) {
                byte[] path = (prefix + i).getBytes(UTF_8);
                int hash = one.hash(path, 0, path.length);
                hashes.add(hash & 0xffff);
                same += hash == other.hash(path, 0, path.length) ? 1 : 0;
            }
            assertThat(hashes).hasSizeGreaterThan(PATHS * 95 / 100);
            assertThat(same).isLessThan(PATHS / 100);
        }
    }
}
