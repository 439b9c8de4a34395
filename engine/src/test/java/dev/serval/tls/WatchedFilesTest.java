package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files that change, and files that cannot be read for a while. The test is the clock.
final class WatchedFilesTest {
    private static final FileTime THEN = FileTime.fromMillis(1_000_000_000_000L);

    @TempDir private Path folder;
    private Path file;
    private WatchedFiles watched;
    private final List<String> logged = new ArrayList<>();
    private @Nullable String failure; // of a read
    private int reads;
    private long now = -5;

    @BeforeEach
    void write() throws IOException {
        file = Files.setLastModifiedTime(Files.writeString(folder.resolve("a"), "one"), THEN);
        watched = new WatchedFiles(Arrays.asList(null, file), () -> now, logged::add);
    }

    @Test
    void unchangedFileIsNotRead() {
        assertThat(look()).isFalse();
        assertThat(reads).isZero();
    }

    /// Programs that renew certificates replace files, and may keep their times.
    @Test
    void replacedFileIsRead() throws IOException {
        Path other = Files.writeString(folder.resolve("b"), "two");
        Files.setLastModifiedTime(other, THEN);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(look()).isTrue();
        assertThat(look()).as("a second time").isFalse();
    }

    @Test
    void timeOrSizeMakeItAnotherOne() throws IOException {
        Files.setLastModifiedTime(file, FileTime.fromMillis(THEN.toMillis() + 1));
        assertThat(look()).isTrue();
        Files.setLastModifiedTime(Files.writeString(file, "longer"), THEN);
        assertThat(look()).isTrue();
        assertThat(look()).isFalse();
    }

    /// A key may be unreadable until somebody gives the server's user the right to read it.
    @Test
    void newRightsMakeItAnotherOne() throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        assertThat(look()).isTrue();
    }

    @Test
    void missingFileIsNoOther() throws IOException {
        Files.delete(file);
        assertThat(look()).isTrue();
        assertThat(look()).isFalse();
    }

    /// The system may have had no descriptor for a moment.
    @Test
    void failedReadIsTriedAgainAfterAWhile() throws IOException {
        failure = "disk failed";
        change();
        assertThat(look()).isFalse();
        now += WatchedFiles.AGAIN_NANOS - 1;
        assertThat(look()).isFalse();
        assertThat(reads).isEqualTo(1);
        now++;
        assertThat(look()).isFalse();
        assertThat(reads).isEqualTo(2);
        failure = null;
        now += WatchedFiles.AGAIN_NANOS;
        assertThat(look()).isTrue();
        now += WatchedFiles.AGAIN_NANOS;
        assertThat(look()).as("after a success").isFalse();
    }

    @Test
    void changeIsTriedAtOnceAfterAFailure() throws IOException {
        failure = "disk failed";
        change();
        assertThat(look()).isFalse();
        failure = null;
        change();
        assertThat(look()).isTrue();
    }

    @Test
    void sameMessageIsLoggedOnceUntilASuccess() throws IOException {
        failure = "disk failed";
        change();
        lookAgain(3);
        failure = "key is wrong";
        lookAgain(2);
        assertThat(logged)
                .containsExactly(
                        "disk failed. What was read before stays.",
                        "key is wrong. What was read before stays.");
        failure = null;
        lookAgain(1);
        failure = "key is wrong";
        change();
        lookAgain(2);
        assertThat(logged).hasSize(3);
    }

    @Test
    void failureThatTheCallerLogsIsTriedAgain() {
        failure = "disk failed";
        assertThatThrownBy(() -> watched.read(this::read)).hasMessage("disk failed");
        assertThat(look()).isFalse();
        lookAgain(1);
        assertThat(reads).isEqualTo(2);
        assertThat(logged).isEmpty();
        failure = null;
        now += WatchedFiles.AGAIN_NANOS;
        assertThat(look()).isTrue();
    }

    @Test
    void readsWhatIsNeeded() {
        assertThat(watched.look(true, this::read)).isTrue();
        assertThat(look()).isFalse();
    }

    /// Makes the file another one.
    private void change() throws IOException {
        Files.writeString(file, Files.readString(file) + "x");
    }

    private void lookAgain(int times) {
        for (int i = 0; i < times; i++) {
            now += WatchedFiles.AGAIN_NANOS;
            look();
        }
    }

    private boolean look() {
        return watched.look(this::read);
    }

    private void read() throws IOException {
        reads++;
        if (failure != null) {
            throw new IOException(failure);
        }
    }
}
