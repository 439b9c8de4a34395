package dev.serval.examples.shop.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ShowTest {
    @Test
    void textIsSafeInHtml() {
        assertThat(Show.text("a<b>&\"c'd")).isEqualTo("a&lt;b&gt;&amp;&#34;c&#39;d");
        assertThat(Show.text("plain é")).isEqualTo("plain é");
        assertThat(Show.text(17)).isEqualTo("17");
        assertThat(Show.text(null)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"0, 0.00", "5, 0.05", "1250, 12.50", "123456, 1234.56"})
    void centsAreAPrice(long cents, String price) {
        assertThat(Show.money(cents)).isEqualTo("€\u202f" + price);
    }

    @Test
    void dayAndQueryAreSafe() {
        assertThat(Show.day(LocalDate.of(2026, 2, 3))).isEqualTo("3 February 2026");
        assertThat(Show.query("a&b=<c> \"'ü")).isEqualTo("a%26b%3D%3Cc%3E+%22%27%C3%BC");
        assertThat(Show.query(null)).isEmpty();
    }
}
