package dev.serval.servlet.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogFileTest {
    private static final LogLimits SMALL = new LogLimits(10, 3, 100, 0, 0, 2);

    @TempDir private Path folder;

    private static void write(LogFile file, String text) throws IOException {
        file.write(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    private String read(String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void beginsAnotherFileAfterTheLimitAndKeepsTheLast() throws IOException {
        try (LogFile file = LogFile.open(folder, "shop", SMALL)) {
            write(file, "0123456789"); // the limit
            assertThat(folder.resolve("shop.log.1")).doesNotExist();
            write(file, "a"); // one past it
            assertThat(read("shop.log.1")).isEqualTo("0123456789");
            write(file, "bcdefghijk");
            write(file, "longer than the limit");
            write(file, "last");
        }
        assertThat(read("shop.log")).isEqualTo("last");
        assertThat(read("shop.log.1")).isEqualTo("longer than the limit");
        assertThat(read("shop.log.2")).isEqualTo("bcdefghijk");
        assertThat(folder.resolve("shop.log.3")).doesNotExist();
    }

    @Test
    void continuesTheFileOfAnEarlierServer() throws IOException {
        for (String text : new String[] {"one ", "two"}) {
            try (LogFile file = LogFile.open(folder, "shop", SMALL)) {
                write(file, text);
            }
        }
        assertThat(read("shop.log")).isEqualTo("one two");
    }

    @Test
    void successorContinuesTheFileOfItsPredecessor() throws IOException {
        LogFile former = LogFile.open(folder, "shop", SMALL);
        try (LogFile file = LogFile.open(folder, "shop", SMALL).succeeding()) {
            write(former, "one ");
            write(file, "meanwhile");
            assertThat(read("shop-2.log")).isEqualTo("meanwhile");
            former.close();
            write(file, "two"); // would not fit in the other file
            assertThat(read("shop.log")).isEqualTo("one two");
            assertThat(file.path()).hasFileName("shop.log");
            try (LogFile other = LogFile.open(folder, "shop", SMALL)) {
                assertThat(other.path()).hasFileName("shop-2.log");
            }
        }
    }

    @Test
    void serverKeepsItsFileWhenAnotherOneEnds() throws IOException {
        LogFile other = LogFile.open(folder, "shop", SMALL);
        try (LogFile file = LogFile.open(folder, "shop", SMALL)) {
            other.close();
            write(file, "text");
            assertThat(read("shop-2.log")).isEqualTo("text");
        }
    }

    @Test
    void anotherServerGetsAnotherFile() throws IOException {
        try (LogFile first = LogFile.open(folder, "shop", SMALL);
                LogFile second = LogFile.open(folder, "shop", SMALL)) {
            assertThat(first.path()).hasFileName("shop.log");
            assertThat(second.path()).hasFileName("shop-2.log");
            assertThatIOException()
                    .isThrownBy(() -> LogFile.open(folder, "shop", SMALL))
                    .withMessageContaining("2 servers log to");
        }
    }
}
