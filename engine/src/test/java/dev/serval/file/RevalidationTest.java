package dev.serval.file;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.testkit.Await;
import dev.serval.testkit.Rewrite;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests files that change, with a clock that the test moves.
final class RevalidationTest {
    private static final int LARGE = 100_000;

    @TempDir private Path root;
    private long nanos = -5_000_000_000L; // a monotonic clock may be negative
    private final Instant start = Instant.now(); // the file system's clock cannot be moved
    private Instant wall = start.plusSeconds(60); // files written now are a minute old
    private FileHandler handler;

    @BeforeEach
    void make() {
        handler = new FileHandler(root, FileOptions.DEFAULT, (InstantSource) () -> wall);
    }

    @Test
    void looksAgainAfterHalfTheAgeAndServesOthersMeanwhile() throws IOException {
        write("a.txt", "one");
        get("/a.txt");

        after(499);
        assertThat(get("/a.txt").tasksRun()).isZero();
        after(1);
        RecordingExchange refresher = exchange("/a.txt").holdTasks().by(handler);
        assertThat(refresher.tasksWaiting()).isEqualTo(1);
        assertThat(get("/a.txt").tasksRun()).isZero();
        refresher.runTask();
        assertThat(refresher.contentText()).isEqualTo("one");
        after(499);
        assertThat(get("/a.txt").tasksRun()).isZero();
        after(1);
        assertThat(get("/a.txt").tasksRun()).isEqualTo(1);
    }

    @Test
    void servesNothingOlderThanTheAgeWithoutALook() throws IOException {
        write("a.txt", "one");
        get("/a.txt");
        Rewrite.text(root.resolve("a.txt"), "two");

        after(1000);
        RecordingExchange waiting = exchange("/a.txt").holdTasks().by(handler);
        RecordingExchange other = exchange("/a.txt").holdTasks().by(handler);
        assertThat(waiting.tasksWaiting()).isEqualTo(1);
        assertThat(other.status()).isZero();
        assertThat(waiting.runTask().contentText()).isEqualTo("two");
        assertThat(other.contentText()).isEqualTo("two");
    }

    /// A file that is written again and again would otherwise have a strong tag whenever its bytes
    /// change between the check of its state and the moment at which they are sent.
    @Test
    void largeFileHasAStrongTagOnceItHasRested() throws IOException {
        Files.write(root.resolve("large.bin"), new byte[LARGE]);
        wall = Files.getLastModifiedTime(root.resolve("large.bin")).toInstant().plusMillis(1000);
        String weak = Objects.requireNonNull(get("/large.bin").answered(FieldName.ETAG));
        assertThat(weak).startsWith("W/\"");

        after(1000);
        wall = wall.plusMillis(500);
        assertThat(get("/large.bin").answered(FieldName.ETAG)).isEqualTo(weak);
        after(1000);
        wall = wall.plusMillis(501);
        assertThat(get("/large.bin").answered(FieldName.ETAG)).isEqualTo(weak.substring(2));
    }

    @Test
    void looksOnceForManyWaitingRequests() throws IOException {
        write("a.txt", "one");
        RecordingExchange first = exchange("/a.txt").holdTasks().by(handler);
        RecordingExchange second = exchange("/a.txt").onOwnLoop().holdTasks().by(handler);
        first.runTask();
        Files.delete(root.resolve("a.txt"));

        assertThat(second.runTask().contentText()).isEqualTo("one");
    }

    @Test
    void findsAReplacedFileOfTheSameSizeAndDate() throws IOException {
        write("a.txt", "one");
        FileTime date = Files.getLastModifiedTime(root.resolve("a.txt"));
        String before = tag("/a.txt");
        write("b.txt", "two");
        Files.setLastModifiedTime(root.resolve("b.txt"), date);
        Files.move(
                root.resolve("b.txt"), root.resolve("a.txt"), StandardCopyOption.REPLACE_EXISTING);

        after(1000);

        assertThat(get("/a.txt").contentText()).isEqualTo("two");
        assertThat(tag("/a.txt")).isNotEqualTo(before);
    }

    @Test
    void findsAFileRewrittenWithItsOldDate() throws IOException {
        Path file = write("a.txt", "one");
        FileTime date = Files.getLastModifiedTime(file);
        get("/a.txt");
        Rewrite.text(file, "two");
        Files.setLastModifiedTime(file, date);

        after(1000);

        assertThat(get("/a.txt").contentText()).isEqualTo("two");
    }

    @Test
    void readsAgainAFileThatChangedTooRecentlyForItsDate() throws IOException {
        wall = Rewrite.changed(write("a.txt", "one"));
        CachedFile first = entry("/a.txt");
        after(1000);
        CachedFile second = entry("/a.txt");
        wall = start.plusSeconds(60);
        after(1000);
        CachedFile third = entry("/a.txt");
        after(1000);

        assertThat(second).isNotSameAs(first);
        assertThat(third).isNotSameAs(second);
        assertThat(entry("/a.txt")).isSameAs(third);
    }

    @Test
    void keepsTheTagOfUnchangedBytes() throws IOException {
        wall = start;
        Path file = write("a.txt", "one");
        String before = tag("/a.txt");
        Files.setLastModifiedTime(file, FileTime.from(start.minusSeconds(100)));
        after(1000);

        assertThat(before).startsWith("\"");
        assertThat(tag("/a.txt")).isEqualTo(before);
    }

    @Test
    void givesALargeFileAWeakTagUntilItsDateIsReliable() throws IOException {
        wall = Rewrite.changed(write("large.bin", "x".repeat(LARGE)));
        String first = tag("/large.bin");
        after(1000);
        wall = wall.plusMillis(1);
        String second = tag("/large.bin");
        wall = start.plusSeconds(60);
        after(1000);
        String third = tag("/large.bin");
        after(1000);

        assertThat(first).startsWith("W/\"");
        assertThat(second).startsWith("W/\"").isNotEqualTo(first);
        assertThat(third).startsWith("\"");
        assertThat(tag("/large.bin")).isEqualTo(third);
    }

    @Test
    void neverDatesAFileInTheFuture() throws IOException {
        Path file = write("a.txt", "one");
        Files.setLastModifiedTime(file, FileTime.from(wall.plusSeconds(1_000_000)));
        wall = Instant.parse("2026-01-01T00:00:00Z");

        assertThat(get("/a.txt").answered(FieldName.LAST_MODIFIED))
                .isEqualTo("Thu, 01 Jan 2026 00:00:00 GMT");
    }

    @Test
    void findsNewAndDeletedFiles() throws IOException {
        assertThat(get("/a.txt").passed()).isTrue();
        Path file = write("a.txt", "one");
        after(499);
        assertThat(get("/a.txt").passed()).isTrue();
        after(501);
        assertThat(get("/a.txt").contentText()).isEqualTo("one");
        Files.delete(file);
        after(1000);
        assertThat(get("/a.txt").passed()).isTrue();
        Files.createDirectory(file);
        after(1000);
        assertThat(get("/a.txt").status()).isEqualTo(301);
    }

    @Test
    void sendsAReplacedLargeFileToItsEndAndThenClosesIt() throws IOException {
        write("large.bin", "x".repeat(LARGE));
        RecordingExchange slow = exchange("/large.bin").holdBodies().by(handler);
        write("new.bin", "y".repeat(LARGE / 2));
        Files.move(
                root.resolve("new.bin"),
                root.resolve("large.bin"),
                StandardCopyOption.REPLACE_EXISTING);
        after(1000);

        assertThat(get("/large.bin").contentText()).isEqualTo("y".repeat(LARGE / 2));
        FileChannel old = FileCacheTest.channelOf(slow);
        assertThat(old.isOpen()).isTrue();
        slow.releaseBodies();
        assertThat(slow.contentText()).isEqualTo("x".repeat(LARGE));
        Await.until("the old file is closed", () -> !old.isOpen());
    }

    @Test
    void endsTheResponseEarlyIfTheFileIsTruncatedWhileItIsSent() throws IOException {
        Path file = write("large.bin", "x".repeat(LARGE));
        get("/large.bin");
        RecordingExchange x = exchange("/large.bin").holdBodies().by(handler);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(10);
        }
        x.releaseBodies();

        assertThat(x.responseHead().contentLength()).isEqualTo(LARGE);
        assertThat(x.contentBytes()).hasSize(10);
        assertThat(x.complete()).isFalse();
        assertThat(get("/large.bin").contentBytes()).hasSize(10);
    }

    @Test
    void looksForEachRequestIfTheAgeIsZero() throws IOException {
        handler =
                new FileHandler(
                        root,
                        FileOptions.DEFAULT.with(draft -> draft.revalidateNanos = 0),
                        InstantSource.system());
        write("a.txt", "one");
        get("/a.txt");
        write("a.txt", "three");

        assertThat(get("/a.txt").contentText()).isEqualTo("three");
    }

    private Path write(String name, String content) throws IOException {
        return Files.writeString(root.resolve(name), content);
    }

    private void after(long millis) {
        assertThat(millis).isLessThanOrEqualTo(SECONDS.toMillis(1));
        nanos += MILLISECONDS.toNanos(millis);
    }

    private RecordingExchange exchange(String target) {
        return RecordingExchange.get(target).at(nanos);
    }

    private RecordingExchange get(String target) {
        return exchange(target).by(handler);
    }

    private String tag(String target) {
        return String.valueOf(get(target).answered(FieldName.ETAG));
    }

    private CachedFile entry(String target) {
        get(target);
        return FileCacheTest.entry(handler.cache(), target);
    }
}
