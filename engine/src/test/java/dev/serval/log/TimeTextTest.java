package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class TimeTextTest {
    private static String text(TimeText text, long second) {
        text.at(second);
        return new String(text.bytes(), 0, text.length(), StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "-03:30"})
    void agreesWithTheCalendarOfTheJdk(String zone) {
        ZoneId id = ZoneId.of(zone);
        TimeText ours =
                new TimeText(TimeFormat.of("%a %b %d %H %I %M %p %S %y %z %A %B %Y %m %s", 1, id));
        DateTimeFormatter brief =
                DateTimeFormatter.ofPattern("EEE MMM dd HH hh mm a ss yy xx", Locale.US);
        DateTimeFormatter whole = DateTimeFormatter.ofPattern(" EEEE MMMM yyyy", Locale.US);
        DateTimeFormatter month = DateTimeFormatter.ofPattern(" MM ", Locale.US);
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            // From 1970 to 2106, and each second of some minutes around a change of the offset.
            long second = i < 10_000 ? random.nextLong(1L << 32) : 1_793_498_400L - 5_000 + i;
            ZonedDateTime at = Instant.ofEpochSecond(second).atZone(id);
            assertThat(text(ours, second))
                    .isEqualTo(brief.format(at) + whole.format(at) + month.format(at) + second);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "%D, 03/07/26",
        "%F, 2026-03-07",
        "%T, 04:05:06",
        "%R, 04:05",
        "%e, ' 7'",
        "%h, Mar",
        "%Z, UTC",
        "%%, %",
        "%j, 066",
        "a%db, a07b"
    })
    void knowsTheCodesOfStrftime(String format, String expected) {
        long second = Instant.parse("2026-03-07T04:05:06Z").getEpochSecond();
        TimeText text = new TimeText(TimeFormat.of(format, 1, ZoneId.of("UTC")));
        assertThat(text(text, second)).isEqualTo(expected);
    }

    @Test
    void makesTheTextAgainOnlyForAnotherSecond() {
        TimeText text = new TimeText(TimeFormat.of("%S", 1, ZoneId.of("UTC")));
        assertThat(text(text, 1)).isEqualTo("01");
        text.bytes()[0] = 'x';
        assertThat(text(text, 1)).isEqualTo("x1");
        assertThat(text(text, 2)).isEqualTo("02");
    }

    @Test
    void refusesUnknownCodesWithTheirColumn() {
        assertThatThrownBy(() -> TimeFormat.of("%Y-%Q", 5, ZoneId.of("UTC")))
                .hasMessageContaining("%Q at column 8");
        assertThatThrownBy(() -> TimeFormat.of("%Y-%", 1, ZoneId.of("UTC")))
                .hasMessageContaining("at column 4");
    }
}
