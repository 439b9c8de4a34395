package dev.serval.settings;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Parses numbers and times of the command line. Stateless.
public final class Numbers {
    private static final Map<String, Integer> UNIT_MILLIS =
            Map.of("ms", 1, "s", 1_000, "m", 60_000, "h", 3_600_000);

    private Numbers() {}

    /// Returns the number in `text`, or -1 if `text` is not only decimal digits or the number
    /// exceeds `max`.
    public static int read(String text, int max) {
        long number = 0;
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
            if (number > max) {
                return -1;
            }
        }
        return text.isEmpty() ? -1 : (int) number;
    }

    /// Returns a time for people, in seconds, or in milliseconds if that is not whole.
    public static String text(Duration time) {
        return time.toMillisPart() == 0 ? time.toSeconds() + " s" : time.toMillis() + " ms";
    }

    /// Returns a time such as `500ms`, `30s`, `2m` or `1h`; null for anything else, or beyond the most.
    public static @Nullable Duration time(String text, int maxMillis) {
        int unitAt = 0;
        while (unitAt < text.length() && Character.isDigit(text.charAt(unitAt))) {
            unitAt++;
        }
        int unitMillis = UNIT_MILLIS.getOrDefault(text.substring(unitAt), 0);
        int number = unitMillis == 0 ? -1 : read(text.substring(0, unitAt), maxMillis / unitMillis);
        return number < 1 ? null : Duration.ofMillis((long) number * unitMillis);
    }
}
