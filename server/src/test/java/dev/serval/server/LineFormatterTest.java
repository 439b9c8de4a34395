package dev.serval.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What the lines of the server's log look like.
final class LineFormatterTest {
    private static String line(@Nullable String logger, @Nullable Throwable thrown) {
        LogRecord message = new LogRecord(Level.WARNING, "The disk is {0}.");
        message.setParameters(new Object[] {"full"});
        message.setLoggerName(logger);
        message.setSourceClassName("dev.serval.log.LogFile");
        message.setSourceMethodName("failed");
        message.setInstant(Instant.parse("2026-11-26T06:59:07.104Z"));
        message.setThrown(thrown);
        return new LineFormatter().format(message);
    }

    @Test
    void messageOfTheServerHasTimeAndLevelAndNoNameOfOurs() {
        assertThat(line("dev.serval.log.LogFile", null))
                .matches("2026-11-2[567] \\d\\d:\\d\\d:07\\.104 WARNING The disk is full\\.\\R");
        assertThat(line(null, null)).contains("WARNING The disk");
        assertThat(line("", null)).contains("WARNING The disk");
    }

    @Test
    void textCannotForgeALineOrReachATerminal() {
        LogRecord message = new LogRecord(Level.WARNING, "a\r\n2026 SEVERE forged\u001b[2J\u009b");
        message.setThrown(new IllegalStateException("x\n2026 SEVERE forged\u001b[2J"));
        assertThat(new LineFormatter().format(message))
                .contains(
                        " WARNING a\n    2026 SEVERE forged\\u001b[2J\\u009b",
                        "IllegalStateException: x\n    2026 SEVERE forged\\u001b[2J\n\tat ")
                .doesNotContain("\u001b", "\u009b");
    }

    @Test
    void messageOfAnApplicationHasTheNameOfItsLogger() {
        assertThat(line("app.shop", null)).contains(" WARNING app.shop: The disk is full.");
        assertThat(line("dev.servals.Shop", null)).contains(" dev.servals.Shop: ");
    }

    @Test
    void exceptionHasItsTrace() {
        assertThat(line("dev.serval.x", new IllegalStateException("meant", new Error("cause"))))
                .containsPattern(
                        "full\\.\\Rjava.lang.IllegalStateException: meant\\R\tat dev.serval")
                .contains("Caused by: java.lang.Error: cause");
    }
}
