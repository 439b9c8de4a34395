package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Any text as an HTTP-date: there is no exception, and a date that is read is written and read again
/// as the same. What the JDK's formatters write is read in all three forms.
final class HttpDateFuzz {
    private static final long NOW = Instant.parse("2026-11-25T00:00:00Z").getEpochSecond();
    private static final long YEAR_0 = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
    private static final long YEAR_9999 = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
    private static final long YEAR_2000 = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
    private static final long YEAR_2076 = Instant.parse("2076-12-31T23:59:59Z").getEpochSecond();
    private static final DateTimeFormatter FIXDATE = formatter("EEE, dd MMM uuuu HH:mm:ss 'GMT'");
    private static final DateTimeFormatter RFC_850 = formatter("EEEE, dd-MMM-uu HH:mm:ss 'GMT'");
    private static final DateTimeFormatter ASCTIME = formatter("EEE MMM ppd HH:mm:ss uuuu");

    private static DateTimeFormatter formatter(String pattern) {
        return DateTimeFormatter.ofPattern(pattern, Locale.US);
    }

    @FuzzTest(maxDuration = "20s")
    void anyText(byte[] bytes) {
        Long seconds = HttpDate.parse(new String(bytes, StandardCharsets.ISO_8859_1), NOW);
        if (seconds != null) {
            assertThat(seconds).isBetween(YEAR_0, YEAR_9999);
            assertThat(HttpDate.parse(HttpDate.format(seconds), NOW)).isEqualTo(seconds);
        }
    }

    @Test
    void scrambledSamplesAreReadOrRefused() {
        Scrambled.each(
                20_000,
                this::anyText,
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994",
                "Thu, 30 Feb 2023 24:60:60 GMT",
                "Sat, 31 Dec 2016 23:59:60 GMT");
    }

    @Test
    void everySecondIsWrittenAsTheJdkDoesAndReadAgain() {
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 20_000; i++) {
            long seconds = random.nextLong(YEAR_0, YEAR_9999);
            ZonedDateTime time = Instant.ofEpochSecond(seconds).atZone(ZoneOffset.UTC);
            String text = HttpDate.format(seconds);
            assertThat(text).isEqualTo(FIXDATE.format(time));
            assertThat(HttpDate.parse(text, NOW)).isEqualTo(seconds);
            assertThat(HttpDate.parse(ASCTIME.format(time), NOW)).isEqualTo(seconds);
        }
    }

    /// The two digits of this century's years up to 50 years ahead.
    @Test
    void twoDigitsOfTheYearAreThoseNearby() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 20_000; i++) {
            long seconds = random.nextLong(YEAR_2000, YEAR_2076);
            ZonedDateTime time = Instant.ofEpochSecond(seconds).atZone(ZoneOffset.UTC);
            assertThat(HttpDate.parse(RFC_850.format(time), NOW)).isEqualTo(seconds);
        }
    }
}
