package dev.serval.net.epoll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.testkit.Rewrite;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests what counts as a change of an open file.
final class FileStateTest {
    @TempDir private Path folder;

    @Test
    void hasTheSizeAndTimeOfTheFile() throws IOException {
        Path path = Files.writeString(folder.resolve("f"), "abc");
        FileTime time = FileTime.from(1_234_567_890_123_456_789L, TimeUnit.NANOSECONDS);
        Files.setLastModifiedTime(path, time);
        try (FileChannel file = FileChannel.open(path)) {
            assertThat(FileState.of(file))
                    .isEqualTo(
                            new FileState(
                                    3, Files.getLastModifiedTime(path).to(TimeUnit.NANOSECONDS)));
        }
    }

    @Test
    void seesAnotherSizeOrTime() throws IOException {
        Path path = Files.writeString(folder.resolve("f"), "abc");
        try (FileChannel file = FileChannel.open(path)) {
            FileState before = FileState.of(file);
            assertThat(before.isStateOf(file)).isTrue();
            Rewrite.text(path, "abd");
            assertThat(before.isStateOf(file)).isFalse();
            FileState after = FileState.of(file);
            Rewrite.text(path, "abcd");
            assertThat(after.isStateOf(file)).isFalse();
        }
    }

    @Test
    void replacementOfTheNameIsNoChange() throws IOException {
        Path path = Files.writeString(folder.resolve("f"), "abc");
        try (FileChannel file = FileChannel.open(path)) {
            FileState before = FileState.of(file);
            Path other = Files.writeString(folder.resolve("g"), "other");
            Files.move(other, path, StandardCopyOption.REPLACE_EXISTING);
            assertThat(before.isStateOf(file)).isTrue();
        }
    }

    @Test
    void comparesOnlyTheSizeWithoutATime() throws IOException {
        Path path = Files.writeString(folder.resolve("f"), "abc");
        try (FileChannel file = FileChannel.open(path)) {
            assertThat(new FileState(3, FileState.UNKNOWN).isStateOf(file)).isTrue();
            assertThat(new FileState(4, FileState.UNKNOWN).isStateOf(file)).isFalse();
        }
    }

    @Test
    void closedFileHasNoState() throws IOException {
        FileChannel file = FileChannel.open(Files.writeString(folder.resolve("f"), "abc"));
        FileState before = FileState.of(file);
        file.close();
        assertThat(before.isStateOf(file)).isFalse();
        assertThatThrownBy(() -> FileState.of(file)).isInstanceOf(IOException.class);
    }
}
