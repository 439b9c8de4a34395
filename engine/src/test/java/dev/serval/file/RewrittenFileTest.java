package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.handler.Fault;
import dev.serval.handler.RecordingExchange;
import dev.serval.http.FieldName;
import dev.serval.testkit.Rewrite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests files that another process writes in place between the look-up and the answer, and between
/// the head and the content. Wall clock and monotonic clock are the test's.
final class RewrittenFileTest {
    private static final int LARGE = 100_000;
    private static final int TWO_CHUNKS = FileSend.CHUNK_BYTES + LARGE;
    private static final String NAME = "large.bin";

    @TempDir private Path root;
    private final long nanos = 5_000_000_000L;
    private Instant wall = Instant.now().plusSeconds(60);
    private FileHandler handler;

    @BeforeEach
    void make() {
        handler = new FileHandler(root, FileOptions.DEFAULT, () -> wall);
    }

    @ParameterizedTest
    @ValueSource(ints = {LARGE - 1, LARGE, LARGE + 1})
    void fileWrittenAfterTheLookUpIsLookedUpAgain(int length) throws IOException {
        Files.writeString(file(), "a".repeat(LARGE));
        String before = tag(get().by(handler));

        Rewrite.text(file(), "b".repeat(length));
        RecordingExchange x = get().by(handler);

        assertThat(x.contentText()).isEqualTo("b".repeat(length));
        assertThat(x.responseHead().contentLength()).isEqualTo(length);
        assertThat(tag(x)).isNotEqualTo(before);
        assertThat(tag(get().by(handler))).as("cached").isEqualTo(tag(x));
    }

    @ParameterizedTest
    @ValueSource(ints = {LARGE - 1, LARGE, LARGE + 1})
    void rangeOfAFileWrittenAfterTheLookUpIsOfTheNewFile(int length) throws IOException {
        Files.writeString(file(), "a".repeat(LARGE));
        get().by(handler);

        Rewrite.text(file(), "b".repeat(length));
        RecordingExchange x = get("Range: bytes=0-1,5-6").by(handler);

        assertThat(x.contentText()).contains("\r\nbb\r\n").doesNotContain("\r\naa\r\n");
    }

    @Test
    void unchangedFileIsNotLookedUpAgain() throws IOException {
        Files.writeString(file(), "a".repeat(LARGE));
        get().by(handler);
        assertThat(get().by(handler).tasksRun()).isZero();
    }

    /// A file that was renamed over is answered whole by the descriptor that is open.
    @Test
    void fileReplacedByRenameIsAnsweredWhole() throws IOException {
        Files.writeString(file(), "a".repeat(LARGE));
        get().by(handler);
        Path other = Files.writeString(root.resolve("other"), "b".repeat(10));
        Files.move(other, file(), StandardCopyOption.REPLACE_EXISTING);

        assertThat(get().by(handler).contentText()).isEqualTo("a".repeat(LARGE));
    }

    @ParameterizedTest
    @ValueSource(ints = {LARGE - 1, LARGE, LARGE + 1})
    void fileWrittenBeforeItIsReadIsLookedUpAgain(int length) throws IOException {
        Files.writeString(file(), "a".repeat(LARGE));
        RecordingExchange x = get().holdTasks().by(handler);
        x.runTask(); // the look-up
        Rewrite.text(file(), "b".repeat(length));
        x.runTask(); // the reading
        while (x.tasksWaiting() > 0) {
            x.runTask();
        }

        assertThat(x.contentText()).isEqualTo("b".repeat(length));
    }

    @ParameterizedTest
    @ValueSource(ints = {TWO_CHUNKS - 1, TWO_CHUNKS, TWO_CHUNKS + 1})
    void responseIsAbortedIfTheFileIsWrittenAfterTheFirstChunk(int length) throws IOException {
        Files.writeString(file(), "a".repeat(TWO_CHUNKS));
        RecordingExchange x = get().holdTasks().by(handler);
        x.runTask(); // the look-up
        x.runTask(); // the first chunk
        assertThat(x.contentBytes()).hasSize(FileSend.CHUNK_BYTES);

        Rewrite.text(file(), "b".repeat(length));
        x.runTask(); // the second chunk

        assertThat(x.aborted()).isEqualTo(Fault.APPLICATION);
        assertThat(x.contentText()).doesNotContain("b");
    }

    @Test
    void responseContinuesIfTheFileOnlyGrows() throws IOException {
        Files.writeString(file(), "a".repeat(TWO_CHUNKS));
        RecordingExchange x = get().holdTasks().by(handler);
        x.runTask();
        x.runTask();

        Files.writeString(file(), "b".repeat(LARGE), StandardOpenOption.APPEND);
        x.runTask();

        assertThat(x.contentText()).isEqualTo("a".repeat(TWO_CHUNKS));
        assertThat(x.aborted()).isNull();
    }

    /// A log may grow faster than it is looked up.
    @Test
    void fileThatGrowsAtEachLookUpIsAnswered() throws IOException {
        Files.writeString(file(), "a".repeat(LARGE));
        RecordingExchange x = get().holdTasks().by(handler);
        int steps = 0;
        while (x.tasksWaiting() > 0) {
            Files.writeString(file(), "a", StandardOpenOption.APPEND);
            x.runTask();
            steps++;
        }
        assertThat(x.status()).isEqualTo(200);
        assertThat(x.contentText()).hasSizeGreaterThanOrEqualTo(LARGE);
        assertThat(steps).isLessThanOrEqualTo(6);
    }

    @Test
    void fileThatIsWrittenAtEachLookUpIsRefused() throws IOException {
        Files.writeString(file(), "a".repeat(LARGE));
        RecordingExchange x = get().holdTasks().by(handler);
        int steps = 0;
        for (; x.tasksWaiting() > 0; steps++) {
            x.runTask();
            Rewrite.text(file(), String.valueOf((char) ('b' + steps)).repeat(LARGE - steps));
        }
        assertThat(x.status()).isEqualTo(503);
        assertThat(steps).isLessThanOrEqualTo(6);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, LARGE})
    void fileThatWasJustWrittenIsLookedUpForEachRequest(int length) throws IOException {
        Files.writeString(file(), "a".repeat(length));
        Files.setLastModifiedTime(file(), FileTime.from(Instant.now()));
        wall = Instant.now();
        assertThat(get().by(handler).contentText()).isEqualTo("a".repeat(length));

        Files.writeString(file(), "b".repeat(length));
        RecordingExchange x = get().at(nanos + 1).by(handler);
        assertThat(x.contentText()).isEqualTo("b".repeat(length));
    }

    private Path file() {
        return root.resolve(NAME);
    }

    private RecordingExchange get(String... fields) {
        return RecordingExchange.get("/" + NAME, fields).at(nanos);
    }

    private static String tag(RecordingExchange x) {
        return String.valueOf(x.answered(FieldName.ETAG));
    }
}
