package dev.serval.log;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.TextStyle;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The text of one second in one format. It is made again only for another second, without
/// allocation. Owned by one loop.
final class TimeText {
    private static final String[] DAYS = {
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"
    };
    private static final String[] MONTHS = {
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December"
    };
    private static final int[] DAYS_BEFORE = {
        0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334
    };
    private static final int DAY_SECONDS = 86_400;
    private static final int SHORT = 3; // characters of a short name

    private final TimeFormat format;
    private final ZoneRules rules;
    private long second = Long.MIN_VALUE;
    private byte[] bytes = new byte[64];
    private int length;

    // The offset of the zone, until it changes.
    private long offsetFrom = Long.MAX_VALUE;
    private long offsetTo = Long.MIN_VALUE;
    private int offset;
    private String zoneName = "";

    // The parts of the second.
    private int secondOfDay;
    private int dayOfWeek; // 0 for Monday
    private int year;
    private int month; // 0 for January
    private int dayOfMonth;

    TimeText(TimeFormat format) {
        this.format = format;
        this.rules = format.zone().getRules();
    }

    /// Makes the text of a second since 1970, unless it is that of the call before.
    void at(long epochSecond) {
        if (epochSecond != second) {
            second = epochSecond;
            split();
            length = 0;
            for (int i = 0; i < format.pieces().size(); i++) {
                TimeFormat.Piece piece = format.pieces().get(i);
                if (piece.code() == '\0') {
                    text(piece.literal(), piece.literal().length());
                } else {
                    write(piece.code());
                }
            }
        }
    }

    /// Returns the array whose first [#length] bytes are the text.
    byte[] bytes() {
        return bytes;
    }

    /// Returns the length of the text in bytes.
    int length() {
        return length;
    }

    /// Finds day, month and year, counted from 1 March of the year 0, so that a leap day is the last
    /// day of a year.
    private void split() {
        if (second < offsetFrom || second >= offsetTo) {
            findOffset();
        }
        long local = second + offset;
        long days = Math.floorDiv(local, (long) DAY_SECONDS);
        secondOfDay = (int) (local - days * DAY_SECONDS);
        dayOfWeek = (int) Math.floorMod(days + 3, 7L); // 1 January 1970 was a Thursday
        long fromMarch = days + 719_468;
        long era = Math.floorDiv(fromMarch, 146_097L); // 400 years
        int dayOfEra = (int) (fromMarch - era * 146_097);
        int yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
        int dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
        int fifths = (5 * dayOfYear + 2) / 153; // months from March on
        dayOfMonth = dayOfYear - (153 * fifths + 2) / 5 + 1;
        month = (fifths + 2) % 12;
        year = (int) (yearOfEra + era * 400) + (month < 2 ? 1 : 0);
    }

    private void findOffset() {
        Instant at = Instant.ofEpochSecond(second);
        @Nullable ZoneOffsetTransition before =
                rules.isFixedOffset() ? null : rules.previousTransition(at.plusSeconds(1));
        @Nullable ZoneOffsetTransition after =
                rules.isFixedOffset() ? null : rules.nextTransition(at);
        offsetFrom = before == null ? Long.MIN_VALUE : before.toEpochSecond();
        offsetTo = after == null ? Long.MAX_VALUE : after.toEpochSecond();
        offset = rules.getOffset(at).getTotalSeconds();
        ZoneId zone = format.zone();
        zoneName =
                offset == 0
                        ? "UTC"
                        : zone.getDisplayName(TextStyle.SHORT, Locale.ROOT).replace(' ', '_');
    }

    private void write(char code) {
        switch (code) {
            case 'a' -> text(DAYS[dayOfWeek], SHORT);
            case 'A' -> text(DAYS[dayOfWeek], DAYS[dayOfWeek].length());
            case 'b' -> text(MONTHS[month], SHORT);
            case 'B' -> text(MONTHS[month], MONTHS[month].length());
            case 'd' -> number(dayOfMonth, 2, '0');
            case 'e' -> number(dayOfMonth, 2, ' ');
            case 'H' -> number(hour(), 2, '0');
            case 'I' -> number((hour() + 11) % 12 + 1, 2, '0');
            case 'j' -> number(dayOfYear(), 3, '0');
            case 'm' -> number(month + 1, 2, '0');
            case 'M' -> number(secondOfDay / 60 % 60, 2, '0');
            case 'p' -> text(hour() < 12 ? "AM" : "PM", 2);
            case 's' -> number(second, 1, '0');
            case 'S' -> number(secondOfDay % 60, 2, '0');
            case 'y' -> number(year % 100, 2, '0');
            case 'Y' -> number(year, 4, '0');
            case 'z' -> offset();
            default -> text(zoneName, zoneName.length());
        }
    }

    private int hour() {
        return secondOfDay / 3600;
    }

    private int dayOfYear() {
        boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        return DAYS_BEFORE[month] + dayOfMonth + (leap && month > 1 ? 1 : 0);
    }

    private void offset() {
        int minutes = Math.abs(offset) / 60;
        text(offset < 0 ? "-" : "+", 1);
        number(minutes / 60, 2, '0');
        number(minutes % 60, 2, '0');
    }

    private void text(String text, int characters) {
        room(characters);
        for (int i = 0; i < characters; i++) {
            bytes[length++] = (byte) text.charAt(i);
        }
    }

    private void number(long value, int width, char before) {
        int digits = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            digits++;
        }
        int all = Math.max(width, digits);
        room(all);
        long rest = value;
        for (int i = all - 1; i >= 0; i--) {
            bytes[length + i] = (byte) (i >= all - digits ? '0' + rest % 10 : before);
            rest /= 10;
        }
        length += all;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * (length + more));
        }
    }
}
