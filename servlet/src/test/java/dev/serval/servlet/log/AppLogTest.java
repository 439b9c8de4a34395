package dev.serval.servlet.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The log of one application. The test is its writer's thread.
@Timeout(60)
final class AppLogTest {
    private static final LogLimits SMALL = new LogLimits(1 << 20, 3, 16, 1, 1000, 2);

    @TempDir private Path folder;
    private final List<AppLog> woken = new ArrayList<>();
    private final AtomicLong nanos = new AtomicLong();

    private AppLog open() throws IOException {
        return new AppLog(LogFile.open(folder, "shop", SMALL), SMALL, null, woken::add, nanos::get);
    }

    private String text() throws IOException {
        return Files.readString(folder.resolve("shop.log"));
    }

    @Test
    void textsWaitForTheWriter() throws IOException {
        try (AppLog log = open()) {
            log.stream().println("one");
            log.stream().print('2');
            log.stream().write(10);
            assertThat(woken).containsExactly(log);
            assertThat(text()).isEmpty();
            log.drain();
            assertThat(text()).isEqualTo("one\n2\n");
            log.add("é");
            assertThat(woken).hasSize(2);
        }
        assertThat(text()).isEqualTo("one\n2\né");
    }

    @Test
    void dropsAndCountsWhatASlowDiskDoesNotTake() throws IOException {
        try (AppLog log = open()) {
            log.add("0123456789abcdef"); // the limit
            log.add("x"); // one past it
            log.drain();
            log.add("next");
            log.drain();
        }
        assertThat(text()).contains("0123456789abcdef", "[1 bytes were dropped", "next");
    }

    @Test
    void longTextWaitsForRoomPieceByPiece() throws Exception {
        LogLimits patient = new LogLimits(1 << 20, 3, 16, Long.MAX_VALUE, 1000, 2);
        String text = "0123456789abcdef-".repeat(1000);
        AppLog log =
                new AppLog(
                        LogFile.open(folder, "shop", patient), patient, null, _ -> {}, nanos::get);
        Thread application = Thread.ofVirtual().start(() -> log.add(text));
        while (application.isAlive()) {
            log.drain();
            Thread.onSpinWait();
        }
        log.close();
        assertThat(text()).isEqualTo(text);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fullDiskDropsTextUntilThereIsRoom() throws IOException {
        Path file = folder.resolve("shop.log");
        Files.createSymbolicLink(file, Path.of("/dev/full"));
        try (AppLog log = open()) {
            log.add("lost");
            log.drain(); // reported by one message
            log.add("also lost");
            log.drain(); // before the retry
            Files.delete(file);
            nanos.addAndGet(1000);
            log.add("written");
            log.drain();
        }
        assertThat(text())
                .isEqualTo("[13 bytes were dropped, because the disk was slow or full]\nwritten");
    }

    @Test
    void textAfterTheEndIsDropped() throws IOException {
        AppLog log = open();
        log.close();
        log.add("late");
        assertThat(log.isOpen()).isFalse();
        assertThat(text()).isEmpty();
    }

    @Test
    void lateTurnOfTheWriterDoesNotCreateTheFileAgain() throws IOException {
        AppLog log = open();
        log.add("one");
        log.close();
        Files.delete(folder.resolve("shop.log"));
        log.drain(); // the writer was woken before the end
        assertThat(folder.resolve("shop.log")).doesNotExist();
    }

    @Test
    void echoReceivesEverything() throws IOException {
        ByteArrayOutputStream echo = new ByteArrayOutputStream();
        PrintStream echoing = new PrintStream(echo, true, StandardCharsets.UTF_8);
        try (AppLogs logs = new AppLogs(folder, LogLimits.STANDARD, echoing, false);
                AppLog log = logs.open("ROOT")) {
            log.stream().println("seen");
        }
        assertThat(echo.toString(StandardCharsets.UTF_8)).isEqualTo("seen\n");
        assertThat(folder.resolve("ROOT.log")).hasContent("seen");
    }
}
