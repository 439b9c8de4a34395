package dev.serval.live;

import java.time.Duration;
import java.util.Locale;

/// Writes figures for people. Stateless.
final class Texts {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MIB = 1 << 20;

    private Texts() {}

    /// Returns a time with three digits, such as `3.21 ms`.
    static String time(long nanos) {
        if (nanos == 0) {
            return "–";
        }
        if (nanos < NANOS_PER_MILLI) {
            return digits(nanos / NANOS_PER_MICRO) + " µs";
        }
        return nanos < NANOS_PER_SECOND
                ? digits(nanos / NANOS_PER_MILLI) + " ms"
                : digits(nanos / NANOS_PER_SECOND) + " s";
    }

    /// Returns a number with three digits, or all digits before the point.
    static String digits(double number) {
        int decimals = number >= 100 || number == 0 ? 0 : number >= 10 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f", number);
    }

    static String mebibytes(long bytes) {
        return digits(bytes / MIB) + " MiB";
    }

    static String percent(double part) {
        return digits(100 * part) + " %";
    }

    static String age(Duration time) {
        if (time.toDays() > 0) {
            return time.toDays() + " d " + time.toHoursPart() + " h";
        }
        return time.toHours() > 0
                ? time.toHours() + " h " + time.toMinutesPart() + " min"
                : time.toMinutes() + " min " + time.toSecondsPart() + " s";
    }
}
