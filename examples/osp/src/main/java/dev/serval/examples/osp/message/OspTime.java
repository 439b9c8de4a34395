package dev.serval.examples.osp.message;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// Times as `YYYY-MM-DDThh:mm:ssZ`. The text of the current second is kept. Safe for several
/// threads.
public final class OspTime {
    private static final DateTimeFormatter FORMAT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final int TEXT_MAX_CHARS = 40;

    private final InstantSource clock;
    private volatile Second last = new Second(Long.MIN_VALUE, "");

    private record Second(long second, String text) {}

    /// Creates times of a clock.
    public OspTime(InstantSource clock) {
        this.clock = clock;
    }

    /// Returns the current second since 1970.
    public long second() {
        return Math.floorDiv(clock.millis(), 1000);
    }

    /// Returns the text of the current second.
    public String now() {
        long second = second();
        Second kept = last;
        if (kept.second != second) {
            kept = new Second(second, text(second));
            last = kept;
        }
        return kept.text;
    }

    /// Returns the text of a second since 1970.
    public static String text(long second) {
        return FORMAT.format(Instant.ofEpochSecond(second));
    }

    /// Returns the second since 1970 of a text, or null if it is not a time.
    public static @Nullable Long second(String text) {
        if (text.length() > TEXT_MAX_CHARS) {
            return null;
        }
        try {
            return Instant.parse(text).getEpochSecond();
        } catch (DateTimeException e) {
            return null;
        }
    }
}
