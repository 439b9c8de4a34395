package dev.serval.http;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads and writes HTTP-date (RFC 9110 §5.6.7): writes IMF-fixdate, and reads it and the two
/// obsolete forms. Stateless.
public final class HttpDate {
    /// Length of an IMF-fixdate in bytes.
    public static final int LENGTH = 29;

    private static final List<String> DAYS =
            List.of("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun");
    private static final List<String> LONG_DAYS =
            List.of("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday");
    private static final List<String> MONTHS =
            List.of(
                    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
                    "Dec");

    private HttpDate() {}

    /// Returns the date as an IMF-fixdate, such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// @param epochSeconds in the years 0 to 9999
    public static String format(long epochSeconds) {
        byte[] bytes = new byte[LENGTH];
        write(epochSeconds, bytes, 0);
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    /// Writes the [#LENGTH] bytes of the date to `into` at `at`.
    public static void write(long epochSeconds, byte[] into, int at) {
        LocalDateTime t = LocalDateTime.ofEpochSecond(epochSeconds, 0, ZoneOffset.UTC);
        text(DAYS.get(t.getDayOfWeek().getValue() - 1), into, at);
        text(", ", into, at + 3);
        number(t.getDayOfMonth(), 2, into, at + 5);
        text(" ", into, at + 7);
        text(MONTHS.get(t.getMonthValue() - 1), into, at + 8);
        text(" ", into, at + 11);
        number(t.getYear(), 4, into, at + 12);
        text(" ", into, at + 16);
        number(t.getHour(), 2, into, at + 17);
        text(":", into, at + 19);
        number(t.getMinute(), 2, into, at + 20);
        text(":", into, at + 22);
        number(t.getSecond(), 2, into, at + 23);
        text(" GMT", into, at + 25);
    }

    /// Reads an HTTP-date in any of its three forms.
    ///
    /// @param nowEpochSeconds places the two-digit year of RFC 850: a year more than 50 years ahead
    ///     is in the past
    /// @return seconds since the epoch, or null if `text` is not an HTTP-date
    public static @Nullable Long parse(String text, long nowEpochSeconds) {
        try {
            if (text.length() == LENGTH && text.startsWith(", ", 3)) {
                return fixdate(text);
            }
            int comma = text.indexOf(',');
            return comma > 3 ? rfc850(text, comma, nowEpochSeconds) : asctime(text);
        } catch (DateTimeException notADate) {
            return null; // such as 30 February
        }
    }

    private static @Nullable Long fixdate(String t) {
        boolean shaped =
                DAYS.contains(t.substring(0, 3))
                        && t.charAt(7) == ' '
                        && t.charAt(11) == ' '
                        && t.charAt(16) == ' '
                        && t.endsWith(" GMT");
        return shaped
                ? seconds(
                        digits(t, 12, 16), t.substring(8, 11), digits(t, 5, 7), t.substring(17, 25))
                : null;
    }

    /// Reads a date such as `Sunday, 06-Nov-94 08:49:37 GMT`.
    private static @Nullable Long rfc850(String t, int comma, long now) {
        boolean shaped =
                t.length() == comma + 24
                        && LONG_DAYS.contains(t.substring(0, comma))
                        && t.charAt(comma + 1) == ' '
                        && t.charAt(comma + 4) == '-'
                        && t.charAt(comma + 8) == '-'
                        && t.charAt(comma + 11) == ' '
                        && t.endsWith(" GMT");
        if (!shaped) {
            return null;
        }
        int thisYear = Instant.ofEpochSecond(now).atOffset(ZoneOffset.UTC).getYear();
        int twoDigits = digits(t, comma + 9, comma + 11);
        int year = thisYear - thisYear % 100 + twoDigits;
        if (year > thisYear + 50) {
            year -= 100;
        }
        return twoDigits < 0
                ? null
                : seconds(
                        year,
                        t.substring(comma + 5, comma + 8),
                        digits(t, comma + 2, comma + 4),
                        t.substring(comma + 12, comma + 20));
    }

    /// Reads a date such as `Sun Nov  6 08:49:37 1994`.
    private static @Nullable Long asctime(String t) {
        boolean shaped =
                t.length() == 24
                        && DAYS.contains(t.substring(0, 3))
                        && t.charAt(3) == ' '
                        && t.charAt(7) == ' '
                        && t.charAt(10) == ' '
                        && t.charAt(19) == ' ';
        if (!shaped) {
            return null;
        }
        int day = t.charAt(8) == ' ' ? digits(t, 9, 10) : digits(t, 8, 10);
        return seconds(digits(t, 20, 24), t.substring(4, 7), day, t.substring(11, 19));
    }

    private static @Nullable Long seconds(int year, String month, int day, String clock) {
        int monthNumber = MONTHS.indexOf(month) + 1;
        int hour = digits(clock, 0, 2);
        int minute = digits(clock, 3, 5);
        int second = digits(clock, 6, 8);
        boolean numbers = year >= 0 && day > 0 && hour >= 0 && minute >= 0 && second >= 0;
        if (!numbers || monthNumber == 0 || clock.charAt(2) != ':' || clock.charAt(5) != ':') {
            return null;
        }
        if (second == 60) { // treats a leap second as the last second of its minute
            second = 59;
        }
        return LocalDate.of(year, monthNumber, day)
                .atTime(hour, minute, second)
                .toEpochSecond(ZoneOffset.UTC);
    }

    private static int digits(String text, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return -1;
            }
            number = number * 10 + (c - '0');
        }
        return number;
    }

    private static void text(String text, byte[] into, int at) {
        for (int i = 0; i < text.length(); i++) {
            into[at + i] = (byte) text.charAt(i);
        }
    }

    private static void number(int number, int digits, byte[] into, int at) {
        for (int i = digits - 1, rest = number; i >= 0; i--, rest /= 10) {
            into[at + i] = (byte) ('0' + rest % 10);
        }
    }
}
