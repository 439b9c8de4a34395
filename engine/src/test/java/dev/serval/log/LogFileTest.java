package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.serval.loop.FakeClock;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogFileTest {
    private static final int BUFFER_BYTES = 100;
    private static final ZoneId UTC = ZoneId.of("UTC");

    private final FakeClock clock = new FakeClock(); // 1 January 2026
    private final FailingDisk disk = new FailingDisk();
    @TempDir private Path folder;
    private Path path = Path.of("access.log");
    private LogFile file = file(path);

    @BeforeEach
    void open() {
        path = folder.resolve("access.log");
        file = file(path);
    }

    private LogFile file(Path at) {
        AccessLogLimits standard = AccessLogLimits.STANDARD;
        AccessLogLimits limits =
                new AccessLogLimits(
                        1 << 12, 100, 10, BUFFER_BYTES, 4, standard.flushNanos(), 1_000_000_000L);
        return new LogFile(0, at, disk, clock, limits);
    }

    private void add(LogFile to, String line) {
        byte[] bytes = ("." + line + "\n").getBytes(StandardCharsets.US_ASCII);
        to.add(bytes, 1, bytes.length - 1);
    }

    private void write(String line) {
        add(file, line);
        assertThat(file.flush()).isTrue();
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(folder)) {
            return all.map(each -> String.valueOf(each.getFileName())).sorted().toList();
        }
    }

    private Path former(int i) {
        return folder.resolve("access.log." + i);
    }

    @Test
    void appendsToWhatTheFileHas() throws IOException {
        Files.writeString(path, "before\n");
        write("a");
        write("b");
        file.close();
        assertThat(lines(path)).containsExactly("before", "a", "b");
    }

    @Test
    void fileIsForItsOwnerAndGroupOnly() throws IOException {
        write("a");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isIn("rw-r-----", "rw-------");
    }

    @Test
    void opensTheFileAgainAfterItWasMoved() throws IOException {
        write("a");
        Files.move(path, former(9));
        write("b");
        add(file, "c");
        file.reopen();
        write("d");
        assertThat(lines(former(9))).containsExactly("a", "b", "c");
        assertThat(lines(path)).containsExactly("d");
    }

    @Test
    void twoProcessesAppendToOneFile() throws IOException {
        LogFile other = file(path);
        write("a");
        add(other, "b");
        assertThat(other.flush()).isTrue();
        write("c");
        assertThat(lines(path)).containsExactly("a", "b", "c");
    }

    @Test
    void beginsAnotherFileBeforeTheLimitIsExceeded() throws IOException {
        file.configure(new Rotation(10, false, 2, false), UTC);
        write("four"); // 5 bytes each
        write("1234");
        assertThat(names()).containsExactly("access.log");
        write("x");
        assertThat(names()).containsExactly("access.log", "access.log.1");
        assertThat(lines(former(1))).containsExactly("four", "1234");
        write("123456789");
        write("123456789");
        assertThat(names()).containsExactly("access.log", "access.log.1", "access.log.2");
        assertThat(lines(former(2))).containsExactly("x");
        write("123456789");
        assertThat(names()).containsExactly("access.log", "access.log.1", "access.log.2");
        assertThat(lines(former(2))).containsExactly("123456789");
    }

    @Test
    void lineLargerThanTheLimitGetsAFileOfItsOwn() throws IOException {
        file.configure(new Rotation(4, false, 9, false), UTC);
        write("larger");
        assertThat(names()).containsExactly("access.log");
        write("larger");
        assertThat(names()).containsExactly("access.log", "access.log.1");
    }

    @Test
    void linesThatWaitAreDividedAmongFilesOfTheLimit() throws IOException {
        file.configure(new Rotation(10, false, 9, false), UTC);
        write("first"); // 6 bytes
        for (String line : List.of("a", "b", "larger than that", "cd", "ef", "ghi")) {
            add(file, line);
        }
        assertThat(file.flush()).isTrue();
        assertThat(lines(former(2))).containsExactly("first", "a", "b");
        assertThat(lines(former(1))).containsExactly("larger than that");
        assertThat(lines(path)).containsExactly("cd", "ef", "ghi");
        assertThat(names()).hasSize(3);
    }

    @Test
    void keepsNoFormerFileIfNoneIsAskedFor() throws IOException {
        file.configure(new Rotation(4, false, 0, false), UTC);
        write("abc");
        write("def");
        assertThat(names()).containsExactly("access.log");
        assertThat(lines(path)).containsExactly("def");
    }

    @Test
    void removesFilesPastALowerNumber() throws IOException {
        for (int i = 1; i <= 5; i++) {
            Files.writeString(former(i), i + "\n");
        }
        file.configure(new Rotation(4, false, 2, false), UTC);
        write("abc");
        write("def");
        assertThat(names()).containsExactly("access.log", "access.log.1", "access.log.2");
        assertThat(lines(former(2))).containsExactly("1");
    }

    @Test
    void eachDayHasItsFile() throws IOException {
        file.configure(new Rotation(0, true, 9, false), UTC);
        write("first");
        clock.advance(Duration.ofDays(1).minusMillis(1));
        write("last of the day");
        assertThat(names()).containsExactly("access.log");
        clock.advance(Duration.ofMillis(1));
        Files.setLastModifiedTime(path, FileTime.fromMillis(clock.epochMillis() - 1));
        write("first of the next");
        assertThat(lines(former(1))).containsExactly("first", "last of the day");
        assertThat(lines(path)).containsExactly("first of the next");
        assertThat(names()).hasSize(2);
    }

    @Test
    void dayEndsByItsZone() throws IOException {
        file.configure(new Rotation(0, true, 9, false), ZoneId.of("Asia/Tokyo")); // 9 o'clock there
        write("first");
        clock.advance(Duration.ofHours(15));
        Files.setLastModifiedTime(path, FileTime.fromMillis(clock.epochMillis() - 1));
        write("next");
        assertThat(names()).containsExactly("access.log", "access.log.1");
    }

    @Test
    void fileOfAnEarlierRunIsOfItsOwnDay() throws IOException {
        Files.writeString(path, "old\n");
        Files.setLastModifiedTime(
                path, FileTime.fromMillis(clock.epochMillis() - Duration.ofDays(3).toMillis()));
        file.configure(new Rotation(0, true, 9, false), UTC);
        write("new");
        assertThat(lines(former(1))).containsExactly("old");
        assertThat(lines(path)).containsExactly("new");
    }

    @Test
    void doesNotRenameWhatAnotherProcessHasEmptied() throws IOException {
        file.configure(new Rotation(8, false, 9, false), UTC);
        write("a");
        write("b");
        write("c");
        Files.writeString(path, "x\n"); // the same file
        write("d"); // 8 bytes by its own count
        write("e"); // past it, but the file has 4
        assertThat(names()).containsExactly("access.log");
        assertThat(lines(path)).containsExactly("x", "d", "e");
    }

    /// A predecessor may rotate until its last request has ended.
    @Test
    void writesToTheFileThatAnotherProcessHasBegun() throws IOException {
        LogFile predecessor = file(path);
        predecessor.configure(new Rotation(8, false, 2, true), UTC);
        add(predecessor, "first");
        assertThat(predecessor.flush()).isTrue();
        write("a");
        add(predecessor, "second");
        predecessor.close(); // waits for the compression, after which the former file is gone
        write("b");
        assertThat(names()).containsExactly("access.log", "access.log.1.gz");
        assertThat(unzipped(folder.resolve("access.log.1.gz"))).isEqualTo("first\na\n");
        assertThat(lines(path)).containsExactly("second", "b");
    }

    @Test
    void compressesFormerFiles() throws IOException {
        file.configure(new Rotation(4, false, 2, true), UTC);
        write("abc");
        write("def");
        file.close(); // waits for the compression
        file = file(path);
        file.configure(new Rotation(4, false, 2, true), UTC);
        write("ghi");
        file.close();
        assertThat(names()).containsExactly("access.log", "access.log.1.gz", "access.log.2.gz");
        assertThat(unzipped(folder.resolve("access.log.1.gz"))).isEqualTo("def\n");
        assertThat(unzipped(folder.resolve("access.log.2.gz"))).isEqualTo("abc\n");
    }

    /// A successor may write to the file before it notices that it was renamed.
    @Test
    void compressesWhatAnotherProcessAppendsMeanwhile() throws IOException {
        appendsWhileCompressed(2);
        assertThat(names()).containsExactly("access.log", "access.log.1.gz");
        assertThat(unzipped(folder.resolve("access.log.1.gz"))).isEqualTo("abc\nlate\nlate\n");
    }

    @Test
    void keepsAFileThatAnotherProcessWritesOnAndOn() throws IOException {
        appendsWhileCompressed(1000);
        assertThat(names()).containsExactly("access.log", "access.log.1");
        assertThat(lines(former(1))).startsWith("abc", "late").hasSizeGreaterThan(10);
    }

    /// Has another process append a line after each part that was compressed.
    private void appendsWhileCompressed(int times) throws IOException {
        int[] left = {times};
        LogDisk written =
                new LogDisk() {
                    @Override
                    public WritableByteChannel open(Path log) throws IOException {
                        return LogDisk.SYSTEM.open(log);
                    }

                    @Override
                    public OutputStream created(Path compressed) throws IOException {
                        return followed(LogDisk.super.created(compressed));
                    }

                    @Override
                    public OutputStream appended(Path compressed) throws IOException {
                        return followed(LogDisk.super.appended(compressed));
                    }

                    private OutputStream followed(OutputStream part) {
                        return new FilterOutputStream(part) {
                            private boolean open = true;

                            @Override
                            public void close() throws IOException {
                                super.close();
                                if (open && left[0] > 0) {
                                    left[0]--;
                                    Files.writeString(
                                            former(1), "late\n", StandardOpenOption.APPEND);
                                }
                                open = false;
                            }
                        };
                    }
                };
        LogFile log = new LogFile(0, path, written, clock, AccessLogLimits.STANDARD);
        log.configure(new Rotation(4, false, 2, true), UTC);
        add(log, "abc");
        add(log, "def");
        log.close(); // waits for the compression
    }

    private static String unzipped(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void renameThatFailsIsTriedLaterAndLosesNothing() throws IOException {
        Files.createDirectories(former(1).resolve("in the way"));
        Files.createDirectories(former(2).resolve("in the way"));
        file.configure(new Rotation(4, false, 2, false), UTC);
        write("abc");
        write("def");
        assertThat(lines(path)).containsExactly("abc", "def");
        Files.delete(former(2).resolve("in the way"));
        Files.delete(former(1).resolve("in the way"));
        write("ghi");
        assertThat(lines(path)).containsExactly("abc", "def", "ghi");
        clock.advance(Duration.ofMinutes(1));
        write("jkl");
        assertThat(lines(path)).containsExactly("jkl");
        assertThat(file.lost()).isZero();
    }

    @Test
    void fullDiskKeepsAsManyLinesAsTheBufferHasRoomFor() throws IOException {
        write("before");
        disk.free(0);
        for (int i = 0; i < 25; i++) { // of 5 bytes
            add(file, "k%03d".formatted(i));
            assertThat(file.flush()).isFalse();
        }
        assertThat(file.lost()).isEqualTo(5);
        disk.free(Long.MAX_VALUE);
        assertThat(file.flush()).isFalse(); // only after the pause
        clock.advance(Duration.ofSeconds(1));
        write("after");
        assertThat(lines(path)).hasSize(22).startsWith("before", "k000").endsWith("k019", "after");
        assertThat(file.lost()).isEqualTo(5);
    }

    @Test
    void lineThatTheDiskTookHalfIsCompletedLater() throws IOException {
        disk.free(8);
        add(file, "first");
        add(file, "second");
        assertThat(file.flush()).isFalse();
        assertThat(Files.readString(path)).isEqualTo("first\nse");
        disk.free(Long.MAX_VALUE);
        clock.advance(Duration.ofSeconds(1));
        write("third");
        assertThat(lines(path)).containsExactly("first", "second", "third");
    }

    @Test
    void newFileBeginsWithAWholeLine() throws IOException {
        disk.free(8);
        add(file, "first");
        add(file, "second");
        add(file, "third");
        assertThat(file.flush()).isFalse();
        Files.move(path, former(9));
        file.reopen();
        disk.free(Long.MAX_VALUE);
        clock.advance(Duration.ofSeconds(1));
        write("fourth");
        assertThat(Files.readString(former(9))).isEqualTo("first\nse");
        assertThat(lines(path)).containsExactly("third", "fourth");
        assertThat(file.lost()).isEqualTo(1);
    }

    /// Another program has renamed the file, and has not said so yet.
    @Test
    void fileThatIsOpenedAfterAFailureBeginsWithAWholeLine() throws IOException {
        disk.free(8);
        add(file, "first");
        add(file, "second");
        assertThat(file.flush()).isFalse();
        Files.move(path, former(9));
        Files.writeString(path, "of another process\n");
        disk.free(Long.MAX_VALUE);
        clock.advance(Duration.ofSeconds(1));
        write("third");
        assertThat(lines(path)).containsExactly("of another process", "third");
    }

    @Test
    void reopenOfTheSameFileCompletesTheLine() throws IOException {
        disk.free(8);
        add(file, "first");
        add(file, "second");
        assertThat(file.flush()).isFalse();
        file.reopen();
        disk.free(Long.MAX_VALUE);
        clock.advance(Duration.ofSeconds(1));
        write("third");
        assertThat(lines(path)).containsExactly("first", "second", "third");
        assertThat(file.lost()).isZero();
    }

    @Test
    void lineAfterTheRestOfATornOneBeginsAnotherFile() throws IOException {
        file.configure(new Rotation(20, false, 9, false), UTC);
        disk.free(8);
        add(file, "first");
        add(file, "second");
        assertThat(file.flush()).isFalse();
        disk.free(Long.MAX_VALUE);
        clock.advance(Duration.ofSeconds(1));
        write("third, long");
        assertThat(lines(former(1))).containsExactly("first", "second");
        assertThat(lines(path)).containsExactly("third, long");
        assertThat(file.lost()).isZero();
    }

    @Test
    void tornLineDoesNotGoOnInTheFileOfTheNextDay() throws IOException {
        file.configure(new Rotation(0, true, 9, false), UTC);
        disk.free(8);
        add(file, "first");
        add(file, "second");
        assertThat(file.flush()).isFalse();
        disk.free(Long.MAX_VALUE);
        clock.advance(Duration.ofDays(1));
        Files.setLastModifiedTime(path, FileTime.fromMillis(clock.epochMillis() - 1));
        write("third");
        assertThat(Files.readString(former(1))).isEqualTo("first\nse");
        assertThat(file.lost()).isEqualTo(1);
        assertThat(lines(path)).containsExactly("third");
    }

    @Test
    void fileThatCannotBeOpenedAgainIsTriedLater() throws IOException {
        write("a");
        disk.opens(false);
        assertThatThrownBy(() -> file.reopen()).isInstanceOf(IOException.class);
        add(file, "b");
        assertThat(file.flush()).isFalse();
        disk.opens(true);
        clock.advance(Duration.ofSeconds(1));
        write("c");
        assertThat(lines(path)).containsExactly("a", "b", "c");
    }

    @Test
    void deviceThatIsFullIsSurvived() throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(Files.isWritable(full)).as("needs /dev/full").isTrue();
        LogFile device = file(full);
        device.configure(new Rotation(1, true, 1, false), UTC);
        device.open();
        for (int i = 0; i < 30; i++) {
            add(device, "k%03d".formatted(i));
            assertThat(device.flush()).isFalse();
            clock.advance(Duration.ofSeconds(2));
        }
        assertThat(device.lost()).isEqualTo(10);
        device.close();
    }

    @Test
    void fifoIsRefusedAndDoesNotBlock() throws Exception {
        Path fifo = folder.resolve("fifo");
        Process mkfifo = new ProcessBuilder("mkfifo", fifo.toString()).start();
        assumeThat(mkfifo.waitFor()).as("needs mkfifo").isZero();
        try (RandomAccessFile reader = new RandomAccessFile(fifo.toFile(), "rw")) {
            assertThat(reader.getFD().valid()).isTrue(); // without the rule, open would succeed
            assertThatThrownBy(() -> file(fifo).open()).hasMessageContaining("not a regular file");
        }
    }
}
