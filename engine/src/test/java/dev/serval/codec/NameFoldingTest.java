package dev.serval.codec;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NameFoldingTest {
    @ParameterizedTest
    @CsvSource({
        "WEB-INF, web-inf",
        "\u017f, s",
        "\u212a, k",
        "E\u0301, \u00e9",
        "a\u200bb\u00adc\ufeff, abc",
        "a\udb40\udc01b, ab",
        "a\ufe0f\uffa0, a",
        "\ud83d\ude00, \ud83d\ude00"
    })
    void equalSpellingsHaveOneForm(String text, String folded) {
        assertThat(NameFolding.folded(text)).isEqualTo(folded);
    }

    @Test
    void tellsAsciiFromTheRest() {
        assertThat(NameFolding.isAscii("a\u00e9b", 0, 1)).isTrue();
        assertThat(NameFolding.isAscii("a\u00e9b", 0, 2)).isFalse();
        assertThat(NameFolding.isAscii("a\u00e9b", 2, 3)).isTrue();
    }
}
