package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.testkit.Rewrite;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests files that are written between the look at their attributes and the reading. The clock is
/// a minute ahead, so that their times by themselves would be trusted.
final class TornFileTest {
    private static final int LARGE = 100_000;
    private static final long SECOND = 1_000_000_000L;

    @TempDir private Path root;
    private final FaultyDisk disk = new FaultyDisk();
    private final ArrayDeque<String> writes = new ArrayDeque<>();
    private FileHandler handler;
    private Instant wall = Instant.now().plusSeconds(60);
    private long nanos = 5 * SECOND;

    @BeforeEach
    void make() {
        handler = new FileHandler(disk.on(root), FileOptions.DEFAULT, () -> wall);
    }

    @Test
    void readsASmallFileAgainIfItGrew() throws IOException {
        Files.writeString(root.resolve("a.txt"), "one");
        writeAtOpen("a.txt", "three times as long");

        RecordingExchange x = get("/a.txt");
        assertThat(x.contentText()).isEqualTo("three times as long");
        String tag = String.valueOf(x.answered(FieldName.ETAG));
        nanos += SECOND;
        assertThat(get("/a.txt").answered(FieldName.ETAG)).isEqualTo(tag);
    }

    @Test
    void readsASmallFileAgainIfItShrank() throws IOException {
        Files.writeString(root.resolve("a.txt"), "three times as long");
        writeAtOpen("a.txt", "one");

        RecordingExchange x = get("/a.txt");
        assertThat(x.contentText()).isEqualTo("one");
        assertThat(x.responseHead().contentLength()).isEqualTo(3);
    }

    @Test
    void givesALargeFileThatChangesAtEveryReadAWeakTag() throws IOException {
        Files.writeString(root.resolve("large.bin"), "a".repeat(LARGE));
        writeAtOpen("large.bin", "b".repeat(LARGE), "c".repeat(LARGE), "d".repeat(LARGE));

        RecordingExchange torn = get("/large.bin");
        assertThat(torn.answered(FieldName.ETAG)).startsWith("W/\"");
        assertThat(writes).as("read three times").isEmpty();

        nanos += SECOND;
        wall = wall.plusSeconds(1);
        RecordingExchange whole = get("/large.bin");
        assertThat(whole.answered(FieldName.ETAG)).startsWith("\"");
        assertThat(whole.contentText()).isEqualTo("d".repeat(LARGE));
    }

    /// A client that has a part of the old file must not get a part of the new one (RFC 9110
    /// §13.1.5).
    @Test
    void dateOfAFileThatChangesAtEveryReadContinuesNoDownload() throws IOException {
        Files.writeString(root.resolve("large.bin"), "a".repeat(LARGE));
        writeAtOpen(
                "large.bin",
                "b".repeat(LARGE),
                "c".repeat(LARGE),
                "d".repeat(LARGE),
                "e".repeat(LARGE),
                "f".repeat(LARGE),
                "g".repeat(LARGE));
        String date = String.valueOf(get("/large.bin").answered(FieldName.LAST_MODIFIED));

        assertThat(part(date).status()).isEqualTo(200);

        nanos += SECOND;
        String last = String.valueOf(get("/large.bin").answered(FieldName.LAST_MODIFIED));
        assertThat(part(last).status()).as("after a read without a change").isEqualTo(206);
    }

    @Test
    void fileDeletedBeforeItIsOpenedIsNotFound() throws IOException {
        Path file = Files.writeString(root.resolve("a.txt"), "one");
        disk.onOpen(() -> assertThat(file.toFile().delete()).isTrue());
        assertThat(get("/a.txt").passed()).isTrue();
    }

    @Test
    void fileWithoutReadPermissionIsForbidden() throws IOException {
        Files.writeString(root.resolve("a.txt"), "one");
        disk.denyOpens();
        assertThat(get("/a.txt").status()).isEqualTo(403);
    }

    @Test
    void folderWithTooLongNameIsNotFound() {
        assertThat(get("/" + "x".repeat(300) + "/").passed()).isTrue();
    }

    @Test
    void closesFilesWhoseReadWasRepeated() throws IOException {
        Files.writeString(root.resolve("large.bin"), "a".repeat(LARGE));
        writeAtOpen("large.bin", "b".repeat(LARGE));

        RecordingExchange x = get("/large.bin");
        assertThat(x.contentText()).isEqualTo("b".repeat(LARGE));
        handler.cache().closeFiles();
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(open.filter(this::leadsToTheFile)).isEmpty();
        }
    }

    @Test
    void closesFileIfTheLookAfterItsReadFails() throws IOException {
        Files.writeString(root.resolve("large.bin"), "a".repeat(LARGE));
        disk.onOpen(() -> disk.breakName("large.bin"));

        assertThat(get("/large.bin").status()).isEqualTo(503);
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(open.filter(this::leadsToTheFile)).isEmpty();
        }
    }

    private boolean leadsToTheFile(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor)
                    .equals(root.toRealPath().resolve("large.bin"));
        } catch (IOException e) {
            return false; // closed meanwhile
        }
    }

    /// Writes the next of `contents` at each opening of a file, until none is left.
    private void writeAtOpen(String name, String... contents) {
        writes.addAll(List.of(contents));
        disk.onOpen(() -> {
            String next = writes.pollFirst();
            if (next != null) {
                try {
                    Rewrite.text(root.resolve(name), next);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
    }

    private RecordingExchange part(String ifRange) {
        return RecordingExchange.get("/large.bin", "Range: bytes=1-2", "If-Range: " + ifRange)
                .at(nanos)
                .by(handler);
    }

    private RecordingExchange get(String target) {
        return RecordingExchange.get(target).at(nanos).by(handler);
    }
}
