package dev.serval.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class EscapesTest {
    @Test
    void parsesEveryEscape() {
        assertThat(Escapes.text("a\\r\\n\\t\\0\\\\\\xff\u00e9"))
                .isEqualTo("a\r\n\t\0\\\u00ff\u00c3\u00a9");
    }

    @Test
    void repeatsTextByCount() {
        assertThat(Escapes.text("<<repeat 3 ab>-<repeat 2 x: y\\r\\n>>"))
                .isEqualTo("<ababab-x: y\r\nx: y\r\n>");
    }

    @Test
    void refusesUnknownEscapesAndHugeResults() {
        assertThatThrownBy(() -> Escapes.parse("\\q")).hasMessageContaining("\\q");
        assertThatThrownBy(() -> Escapes.parse("<repeat 999999999 a>"))
                .hasMessageContaining("64 MiB");
    }

    @Test
    void escapesUnprintableBytesAndCutsTheMiddle() {
        assertThat(Escapes.show(Escapes.parse("a\\r\\nb\\x01"))).isEqualTo("a\\r\\n\nb\\x01");
        assertThat(Escapes.show(new byte[8 << 20])).hasSizeLessThan(20_000).contains("bytes");
    }
}
