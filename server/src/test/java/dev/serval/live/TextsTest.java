package dev.serval.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TextsTest {
    @ParameterizedTest
    @CsvSource({
        "0, –",
        "1500, 1.50 µs",
        "999999, 1000 µs",
        "1000000, 1.00 ms",
        "12340000, 12.3 ms",
        "456000000, 456 ms",
        "10000, 10.0 µs",
        "100000000, 100 ms",
        "1000000000, 1.00 s",
        "61000000000, 61.0 s"
    })
    void timeHasThreeDigits(long nanos, String text) {
        assertThat(Texts.time(nanos)).isEqualTo(text);
    }

    @Test
    void ageHasItsTwoLargestUnits() {
        assertThat(Texts.age(Duration.ofSeconds(75))).isEqualTo("1 min 15 s");
        assertThat(Texts.age(Duration.ofHours(1))).isEqualTo("1 h 0 min");
        assertThat(Texts.age(Duration.ofDays(1))).isEqualTo("1 d 0 h");
        assertThat(Texts.age(Duration.ofMinutes(125))).isEqualTo("2 h 5 min");
        assertThat(Texts.age(Duration.ofHours(50))).isEqualTo("2 d 2 h");
    }

    @Test
    void otherFiguresHaveTheirUnits() {
        assertThat(Texts.mebibytes(5 << 20)).isEqualTo("5.00 MiB");
        assertThat(Texts.percent(0.1234)).isEqualTo("12.3 %");
    }
}
