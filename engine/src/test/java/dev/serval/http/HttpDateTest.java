package dev.serval.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HttpDateTest {
    private static final long EXAMPLE = 784111777; // the example of RFC 9110 §5.6.7
    private static final long NOW = Instant.parse("2026-06-01T00:00:00Z").getEpochSecond();

    @ParameterizedTest(name = "RFC 9110 §5.6.7: {0}")
    @ValueSource(
            strings = {
                "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov  6 08:49:37 1994"
            })
    void readsTheThreeForms(String date) {
        assertThat(HttpDate.parse(date, NOW)).isEqualTo(EXAMPLE);
    }

    @Test
    void writesImfFixdate() {
        assertThat(HttpDate.format(EXAMPLE)).isEqualTo("Sun, 06 Nov 1994 08:49:37 GMT");
        assertThat(HttpDate.format(0)).isEqualTo("Thu, 01 Jan 1970 00:00:00 GMT");
        assertThat(HttpDate.format(951782400)).isEqualTo("Tue, 29 Feb 2000 00:00:00 GMT");
    }

    @Test
    void readsWhatItWrites() {
        for (long second = -1_000_000_000; second < 10_000_000_000L; second += 86_399_999) {
            assertThat(HttpDate.parse(HttpDate.format(second), NOW)).isEqualTo(second);
        }
    }

    @Test
    void placesTwoDigitYearAtMostFiftyYearsAhead() {
        assertThat(HttpDate.parse("Sunday, 06-Nov-76 08:49:37 GMT", NOW))
                .isEqualTo(Instant.parse("2076-11-06T08:49:37Z").getEpochSecond());
        assertThat(HttpDate.parse("Sunday, 06-Nov-77 08:49:37 GMT", NOW))
                .isEqualTo(Instant.parse("1977-11-06T08:49:37Z").getEpochSecond());
    }

    @Test
    void readsLeapSecondAsTheSecondBefore() {
        assertThat(HttpDate.parse("Sat, 31 Dec 2016 23:59:60 GMT", NOW))
                .isEqualTo(HttpDate.parse("Sat, 31 Dec 2016 23:59:59 GMT", NOW));
    }

    @ParameterizedTest(name = "RFC 9110 §5.6.7 refuses: {0}")
    @ValueSource(
            strings = {
                "",
                "x",
                ",",
                "0",
                "784111777",
                "Sun, 06 Nov 1994 08:49:37 UTC",
                "Sun, 06 Nov 1994 08:49:37",
                "Sun, 6 Nov 1994 08:49:37 GMT",
                "sun, 06 Nov 1994 08:49:37 GMT",
                "Sun, 06 nov 1994 08:49:37 GMT",
                "Xxx, 06 Nov 1994 08:49:37 GMT",
                "Sun, 30 Feb 1994 08:49:37 GMT",
                "Sun, 00 Nov 1994 08:49:37 GMT",
                "Sun, 06 Nov 1994 24:00:00 GMT",
                "Sun, 06 Nov 1994 08:60:37 GMT",
                "Sun, 06 Nov 1994 08:49:61 GMT",
                "Sun, 06 Nov -994 08:49:37 GMT",
                "Sun, 06 Nov 1994 +8:49:37 GMT",
                "Sun, 06-Nov-1994 08:49:37 GMT",
                "Sunday, 06-Nov-1994 08:49:37 GMT",
                "Sunday, 06-Nov-9x 08:49:37 GMT",
                "Someday, 06-Nov-94 08:49:37 GMT",
                "Sun Nov 06 08:49:37 1994 GMT",
                "Sun Nov  6 08:49:37 94  ",
                "Sun Nov  x 08:49:37 1994"
            })
    void refusesMalformedDates(String text) {
        assertThat(HttpDate.parse(text, NOW)).isNull();
    }
}
