package dev.serval.examples.shop.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WordsTest {
    @Test
    void wordsAreLowerCaseWithoutAccentsAndSigns() {
        assertThat(Words.of("  The Café, the <Zoë's> 3rd! ", 9))
                .containsExactly("the", "cafe", "zoes", "3rd");
        assertThat(Words.of("a b c d", 2)).containsExactly("a", "b");
        assertThat(Words.of(" %_'\" ", 9)).isEmpty();
        assertThat(Words.of("x".repeat(100), 9)).containsExactly("x".repeat(40));
    }
}
