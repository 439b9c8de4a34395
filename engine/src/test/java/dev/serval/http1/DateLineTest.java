package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class DateLineTest {
    private final DateLine line = new DateLine();

    @Test
    void writesTheRequestedSecond() {
        assertThat(text(0)).isEqualTo("Date: Thu, 01 Jan 1970 00:00:00 GMT\r\n");
        assertThat(text(784111777)).isEqualTo("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
        assertThat(text(784111778)).isEqualTo("Date: Sun, 06 Nov 1994 08:49:38 GMT\r\n");
        assertThat(text(784111777)).isEqualTo("Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
    }

    @Test
    void reusesItsArray() {
        assertThat(line.at(1)).isSameAs(line.at(2)).hasSize(DateLine.LENGTH);
    }

    private String text(long second) {
        return new String(line.at(second), StandardCharsets.US_ASCII);
    }
}
