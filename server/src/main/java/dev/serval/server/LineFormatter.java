package dev.serval.server;

import dev.serval.log.MessageText;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/// Writes a message of the server's log for its operator: time, level and message in one line, and the
/// stack trace if there is one. The names of our classes and methods say nothing to an operator. Messages
/// of applications keep the name of their logger, because it tells whose they are. Control characters
/// are escaped ([MessageText]). Any thread.
public final class LineFormatter extends Formatter {
    private static final String OWN = "dev.serval.";

    private final DateTimeFormatter times =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT)
                    .withZone(ZoneId.systemDefault());

    /// Creates a formatter. The JDK's logging calls this.
    public LineFormatter() {}

    @Override
    public String format(LogRecord message) {
        StringBuilder line = new StringBuilder();
        times.formatTo(message.getInstant(), line);
        line.append(' ').append(message.getLevel().getName()).append(' ');
        @Nullable String logger = message.getLoggerName();
        if (logger != null && !logger.isEmpty() && !logger.startsWith(OWN)) {
            line.append(logger).append(": ");
        }
        MessageText.add(line, formatMessage(message));
        line.append(System.lineSeparator());
        @Nullable Throwable thrown = message.getThrown();
        if (thrown != null) {
            MessageText.addTrace(line, thrown);
        }
        return line.toString();
    }
}
