package dev.serval.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class NumbersTest {
    @Test
    void takesNumbersUpToTheMost() {
        assertThat(Numbers.read("0", 70)).isZero();
        assertThat(Numbers.read("70", 70)).isEqualTo(70);
        assertThat(Numbers.read("71", 70)).isEqualTo(-1);
        assertThat(Numbers.read("99999999999999999999", Integer.MAX_VALUE)).isEqualTo(-1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "+1", "1 ", "1a", "١"})
    void refusesAllButDecimalDigits(String text) {
        assertThat(Numbers.read(text, 70)).isEqualTo(-1);
    }

    @Test
    void takesTimesUpToTheMost() {
        assertThat(Numbers.time("1ms", 60_000)).isEqualTo(Duration.ofMillis(1));
        assertThat(Numbers.time("60s", 60_000)).isEqualTo(Duration.ofSeconds(60));
        assertThat(Numbers.time("61s", 60_000)).isNull();
        assertThat(Numbers.time("1m", 60_000)).isEqualTo(Duration.ofMinutes(1));
        assertThat(Numbers.time("1m", 59_999)).isNull();
    }

    @Test
    void writesMillisecondsIfSecondsAreNotWhole() {
        assertThat(Numbers.text(Duration.ofSeconds(75))).isEqualTo("75 s");
        assertThat(Numbers.text(Duration.ofMillis(500))).isEqualTo("500 ms");
        assertThat(Numbers.text(Duration.ofMillis(1500))).isEqualTo("1500 ms");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "0s", "5d", "-5s", "5 s", "5ss"})
    void refusesWhatIsNoTime(String text) {
        assertThat(Numbers.time(text, 60_000)).isNull();
    }
}
