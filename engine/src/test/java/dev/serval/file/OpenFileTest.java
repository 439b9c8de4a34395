package dev.serval.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.net.epoll.FileState;
import dev.serval.testkit.Await;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests which open files a loop may send without a read on a disk thread, and when they are
/// closed.
final class OpenFileTest {
    private static final long NOW = 1_000_000_000L;

    @TempDir private Path folder;

    @ParameterizedTest
    @CsvSource({
        "1, 29999, true",
        "1, 30000, false",
        "268435456, 0, true", // 256 MiB
        "268435457, 0, false"
    })
    void isHotForHalfAMinuteAfterAFullReadUnlessVeryLong(long length, long millisLater, boolean hot)
            throws IOException {
        try (FileChannel channel = open("")) {
            OpenFile file = fileOf(channel, length);
            assertThat(file.isHot(NOW)).as("before it was read").isFalse();
            file.touch(NOW);
            assertThat(file.isHot(NOW + TimeUnit.MILLISECONDS.toNanos(millisLater))).isEqualTo(hot);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {NOW, -50 * NOW, Long.MAX_VALUE - 20 * NOW})
    void staysHotAsLongAsItIsReadAgain(long start) throws IOException {
        try (FileChannel channel = open("")) {
            OpenFile file = fileOf(channel, 1);
            for (int seconds = 0; seconds <= 60; seconds += 5) {
                file.touch(start + seconds * NOW);
            }
            assertThat(file.isHot(start + 80 * NOW)).isTrue();
            assertThat(file.isHot(start + 91 * NOW)).isFalse();
        }
    }

    @Test
    @Timeout(20)
    void readAheadEndsAtEndOfShortenedFile() throws IOException {
        FileChannel channel = open("abc");
        OpenFile file = fileOf(channel, 10);
        file.readAhead(0, 10);
        channel.close();
        assertThatThrownBy(() -> file.readAhead(0, 10))
                .as("a read ahead does read")
                .isInstanceOf(ClosedChannelException.class);
    }

    /// The system sets the time of a file before its length.
    @Test
    void answerContinuesAtEveryMomentOfAnAppend() throws Exception {
        for (int round = 0; round < 500; round++) {
            try (FileChannel channel = open("abc")) {
                Files.setLastModifiedTime(folder.resolve("f"), FileTime.fromMillis(1));
                OpenFile file = OpenFile.of(channel);
                Thread writer = Thread.ofPlatform().start(() -> append(64 << 10));
                while (channel.size() == 3) {
                    boolean _ = file.isUnchanged(); // another answer that may begin
                    assertThat(file.getAsBoolean()).as("round %d", round).isTrue();
                }
                writer.join();
            }
        }
    }

    @Test
    void answerEndsIfTheFileWasWrittenAnewWithItsLength() throws IOException {
        try (FileChannel channel = open("abc")) {
            OpenFile file = OpenFile.of(channel);
            Files.setLastModifiedTime(folder.resolve("f"), FileTime.fromMillis(1));
            assertThat(file.getAsBoolean()).isFalse();
            assertThat(file.isUsable()).isFalse();
        }
    }

    private void append(int bytes) {
        try (FileChannel writer = FileChannel.open(folder.resolve("f"), StandardOpenOption.WRITE)) {
            writer.write(ByteBuffer.allocate(bytes), 3);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void lastReleaseLeavesTheCloseToAnotherThread() throws IOException {
        FileChannel channel = open("abc");
        List<Runnable> closers = new ArrayList<>();
        OpenFile file = fileOf(channel, 3, closers::add);
        assertThat(file.lend()).isTrue();
        file.run();
        assertThat(closers).isEmpty();
        assertThat(file.isUsable()).isTrue();
        file.run();
        assertThat(channel.isOpen()).as("not closed by the loop").isTrue();
        assertThat(file.isUsable()).isFalse();
        assertThat(file.lend()).isFalse();
        assertThat(closers).hasSize(1);
        closers.getFirst().run();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void lastReleaseClosesItOnANewThread() throws IOException {
        FileChannel channel = open("abc");
        fileOf(channel, 3).run();
        Await.until("the file is closed", () -> !channel.isOpen());
    }

    @Test
    void lastReleaseClosesItIfThereIsNoOtherThread() throws IOException {
        FileChannel channel = open("abc");
        Executor none =
                _ -> {
                    throw new OutOfMemoryError("meant: unable to create native thread");
                };
        fileOf(channel, 3, none).run();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void lastReleaseByAThreadThatMayBlockClosesIt() throws IOException {
        FileChannel channel = open("abc");
        OpenFile file =
                fileOf(
                        channel,
                        3,
                        _ -> {
                            throw new AssertionError("no other thread is needed");
                        });
        assertThat(file.lend()).isTrue();
        file.close();
        assertThat(channel.isOpen()).isTrue();
        assertThat(file.isUsable()).isTrue();
        file.close();
        assertThat(channel.isOpen()).isFalse();
        assertThat(file.isUsable()).isFalse();
        assertThat(file.lend()).isFalse();
    }

    @Test
    void closedChannelIsNotLent() throws IOException {
        FileChannel channel = open("abc");
        OpenFile file = fileOf(channel, 3);
        channel.close(); // as an interrupt of a reader does
        assertThat(file.isUsable()).isFalse();
        assertThat(file.lend()).isFalse();
    }

    private static OpenFile fileOf(FileChannel channel, long length) {
        return fileOf(channel, length, work -> Thread.ofVirtual().start(work));
    }

    private static OpenFile fileOf(FileChannel channel, long length, Executor closers) {
        FileState state = new FileState(length, FileState.UNKNOWN);
        return new OpenFile(channel, state, new byte[0], closers);
    }

    private FileChannel open(String content) throws IOException {
        return FileChannel.open(Files.writeString(folder.resolve("f"), content));
    }
}
