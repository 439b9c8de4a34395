package dev.serval.tls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileStampTest {
    private static final FileTime THEN = FileTime.fromMillis(1_000_000_000_000L);

    @TempDir private Path folder;
    private Path file;
    private FileStamp first;

    @BeforeEach
    void write() throws IOException {
        file = Files.setLastModifiedTime(Files.writeString(folder.resolve("a"), "one"), THEN);
        first = FileStamp.of(file);
    }

    @Test
    void unchangedFileIsTheSame() {
        assertThat(FileStamp.of(file)).isEqualTo(first);
    }

    /// Programs that renew certificates replace files, and may keep their times.
    @Test
    void replacedFileIsAnotherOne() throws IOException {
        Path other = Files.writeString(folder.resolve("b"), "two");
        Files.setLastModifiedTime(other, THEN);
        Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        assertThat(FileStamp.of(file)).isNotEqualTo(first);
    }

    @Test
    void timeOrSizeMakeItAnotherOne() throws IOException {
        Files.setLastModifiedTime(file, FileTime.fromMillis(THEN.toMillis() + 1));
        assertThat(FileStamp.of(file)).isNotEqualTo(first);
        Files.setLastModifiedTime(Files.writeString(file, "longer"), THEN);
        assertThat(FileStamp.of(file)).isNotEqualTo(first);
    }

    @Test
    void missingFileIsNoOther() throws IOException {
        Files.delete(file);
        FileStamp missing = FileStamp.of(file);
        assertThat(missing).isNotEqualTo(first).isEqualTo(FileStamp.of(file));
        assertThat(FileStamp.of(Arrays.asList(null, file))).isEqualTo(List.of(missing));
    }
}
