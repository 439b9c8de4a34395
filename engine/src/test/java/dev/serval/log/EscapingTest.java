package dev.serval.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class EscapingTest {
    private static final int LENGTH = 19; // words, and what is left

    private static byte[] written(byte[] value, Escaping escaping, int valueMaxBytes) {
        byte[] into = new byte[6 * value.length + 100];
        LogLine line = new LogLine(valueMaxBytes);
        line.begin(into, 7, new TimeText[0], false);
        line.value(value, 0, value.length, escaping);
        return Arrays.copyOfRange(into, 7, line.end());
    }

    @ParameterizedTest
    @EnumSource
    void everyByteAtEveryPlaceCanBeReadBack(Escaping escaping) {
        for (int b = 0; b < 256; b++) {
            for (int place = 0; place < LENGTH; place++) {
                byte[] value = "abcdefghijklmnopqrs".getBytes(StandardCharsets.US_ASCII);
                value[place] = (byte) b;
                byte[] text = written(value, escaping, 1000);
                LogText.checkSafe(text, escaping);
                assertThat(LogText.unescaped(text, escaping))
                        .as("byte " + b)
                        .isEqualTo(LogText.meaning(value, escaping));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void plainTextIsCopied(Escaping escaping) {
        byte[] value = "GET/~!#[]{}'".getBytes(StandardCharsets.US_ASCII);
        assertThat(written(value, escaping, 1000)).isEqualTo(value);
    }

    @Test
    void quotesCannotEndAValue() {
        byte[] value = "\" 200 1\r\n\\x".getBytes(StandardCharsets.US_ASCII);
        assertThat(new String(written(value, Escaping.HEX, 1000), StandardCharsets.US_ASCII))
                .isEqualTo("\\x22 200 1\\x0D\\x0A\\x5Cx");
    }

    @Test
    void aUserCannotMakeAnotherColumn() {
        byte[] value = "a b".getBytes(StandardCharsets.US_ASCII);
        assertThat(
                        new String(
                                written(value, Escaping.HEX_AND_SPACES, 1000),
                                StandardCharsets.US_ASCII))
                .isEqualTo("a\\x20b");
    }

    @Test
    void jsonKeepsUtf8AndTakesOtherBytesForLatin1() {
        byte[] utf8 = "é\uD83D\uDE00".getBytes(StandardCharsets.UTF_8);
        assertThat(written(utf8, Escaping.JSON, 1000)).isEqualTo(utf8);
        byte[] latin = {'a', (byte) 0xe9};
        assertThat(new String(written(latin, Escaping.JSON, 1000), StandardCharsets.US_ASCII))
                .isEqualTo("a\\u00E9");
    }

    /// U+009B begins a sequence of control on a terminal, as ESC [ does.
    @Test
    void jsonEscapesControlCharactersBeyondAscii() {
        byte[] value = "a\u0080\u009b2J\u009f\u00a0".getBytes(StandardCharsets.UTF_8);
        byte[] text = written(value, Escaping.JSON, 1000);
        LogText.checkSafe(text, Escaping.JSON);
        assertThat(new String(text, StandardCharsets.UTF_8))
                .isEqualTo("a\\u0080\\u009B2J\\u009F\u00a0");
    }

    @ParameterizedTest
    @EnumSource
    void valueAtTheLimitIsWhole(Escaping escaping) {
        byte[] value = new byte[100];
        Arrays.fill(value, (byte) 'a');
        assertThat(written(value, escaping, 100)).isEqualTo(value);
    }

    @ParameterizedTest
    @EnumSource
    void valuePastTheLimitIsCut(Escaping escaping) {
        byte[] value = new byte[101];
        Arrays.fill(value, (byte) 'a');
        byte[] text = written(value, escaping, 100);
        assertThat(text.length).isLessThanOrEqualTo(100);
        assertThat(new String(text, StandardCharsets.US_ASCII)).endsWith("a...");
    }

    @ParameterizedTest
    @EnumSource
    void noValueIsLongerThanALineAllows(Escaping escaping) {
        for (int length = 80; length < 130; length++) {
            for (int b : new int[] {'a', 7, '"', 0x9b, 0xe9}) {
                byte[] value = new byte[length];
                Arrays.fill(value, (byte) b);
                byte[] text = written(value, escaping, 100);
                assertThat(text.length).isLessThanOrEqualTo(100 + Escaping.GROWTH_MAX);
                LogText.checkSafe(text, escaping);
            }
        }
    }

    @Test
    void jsonIsNotCutInsideACharacter() {
        byte[] value = "é".repeat(100).getBytes(StandardCharsets.UTF_8);
        for (int most = 60; most < 70; most++) {
            byte[] text = written(value, Escaping.JSON, most);
            LogText.checkSafe(text, Escaping.JSON);
            assertThat(new String(text, StandardCharsets.UTF_8)).endsWith("é...");
        }
    }
}
