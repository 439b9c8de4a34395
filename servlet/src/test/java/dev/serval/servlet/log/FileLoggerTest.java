package dev.serval.servlet.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileLoggerTest {
    @TempDir private Path folder;

    private interface Use {
        void with(System.Logger logger);
    }

    private String written(Use use) throws IOException {
        Instant then = Instant.parse("2026-01-02T03:04:05.678Z");
        try (AppLogs logs = new AppLogs(folder, LogLimits.STANDARD, null, false);
                AppLog log = logs.open("shop")) {
            use.with(new FileLogger("app.shop", log, () -> then, ZoneOffset.UTC));
        }
        return Files.readString(folder.resolve("shop.log"));
    }

    @Test
    void writesTimeLevelAndMessage() throws IOException {
        assertThat(
                        written(logger -> {
                            logger.log(Level.DEBUG, "not shown");
                            logger.log(Level.INFO, "{0} of {1}", "one", "two");
                            logger.log(Level.ERROR, () -> "{kept}");
                        }))
                .isEqualTo(
                        """
                        2026-01-02 03:04:05.678 INFO one of two
                        2026-01-02 03:04:05.678 ERROR {kept}
                        """);
    }

    @Test
    void showsTheStackOfAllCauses() throws IOException {
        Exception cause = new IllegalStateException("inner");
        Exception thrown = new IOException("outer", cause);
        thrown.addSuppressed(new IllegalArgumentException("beside"));
        cause.initCause(thrown); // a circle
        assertThat(written(logger -> logger.log(Level.WARNING, "Failed", thrown)))
                .contains(
                        "WARNING Failed\njava.io.IOException: outer\n\tat ",
                        "FileLoggerTest.showsTheStackOfAllCauses",
                        "\n\tSuppressed:\n\tjava.lang.IllegalArgumentException: beside\n",
                        "\nCaused by: java.lang.IllegalStateException: inner\n",
                        "\nCaused by: [an exception that is shown above]\n");
    }

    @Test
    void textCannotForgeALineOrReachATerminal() throws IOException {
        assertThat(written(logger -> logger.log(Level.INFO, "a\r\n2026 ERROR forged\u001b[2J")))
                .isEqualTo("2026-01-02 03:04:05.678 INFO a\n    2026 ERROR forged\\u001b[2J\n");
    }
}
