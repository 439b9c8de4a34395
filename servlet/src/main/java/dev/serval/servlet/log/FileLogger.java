package dev.serval.servlet.log;

import dev.serval.log.MessageText;
import java.text.MessageFormat;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/// Writes the messages of the container about an application to the log of that application, one
/// line for each, with the stack trace below it. Any thread.
public final class FileLogger implements System.Logger {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS ");

    private final String name;
    private final AppLog log;
    private final InstantSource clock;
    private final ZoneId zone;

    /// Creates a logger for levels from INFO.
    ///
    /// @param zone of the times that it writes
    public FileLogger(String name, AppLog log, InstantSource clock, ZoneId zone) {
        this.name = name;
        this.log = log;
        this.clock = clock;
        this.zone = zone;
    }

    @Override
    public String getName() {
        return name;
    }

    @Override
    public boolean isLoggable(Level level) {
        return level != Level.OFF && level.getSeverity() >= Level.INFO.getSeverity();
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String message,
            @Nullable Throwable thrown) {
        if (isLoggable(level)) {
            write(level, translated(bundle, message), thrown);
        }
    }

    @Override
    public void log(
            Level level,
            @Nullable ResourceBundle bundle,
            @Nullable String format,
            @Nullable Object... parameters) {
        if (isLoggable(level)) {
            write(level, filled(translated(bundle, format), parameters), null);
        }
    }

    private static String translated(@Nullable ResourceBundle bundle, @Nullable String message) {
        if (bundle == null || message == null) {
            return String.valueOf(message);
        }
        try {
            return bundle.getString(message);
        } catch (MissingResourceException | ClassCastException e) {
            return message;
        }
    }

    private static String filled(String format, @Nullable Object @Nullable [] parameters) {
        if (parameters == null || parameters.length == 0) {
            return format;
        }
        try {
            return MessageFormat.format(format, parameters);
        } catch (IllegalArgumentException e) {
            return format;
        }
    }

    private void write(Level level, String message, @Nullable Throwable thrown) {
        StringBuilder text = new StringBuilder(256);
        text.append(TIME.format(clock.instant().atZone(zone)));
        text.append(level.getName()).append(' ');
        MessageText.add(text, message);
        text.append('\n');
        if (thrown != null) {
            MessageText.addTrace(text, thrown);
        }
        log.add(text.toString());
    }
}
