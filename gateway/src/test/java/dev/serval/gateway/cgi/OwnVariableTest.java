package dev.serval.gateway.cgi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class OwnVariableTest {
    @ParameterizedTest
    @ValueSource(strings = {"SCRIPT_FILENAME", "_x9", "PHP_VALUE", "HTTPS"})
    void takesLettersDigitsAndUnderscores(String name) {
        assertThat(new OwnVariable(name, "").name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "9A", "A-B", "A=B", "A B", "\u00c4", "CONTENT_LENGTH", "SCGI"})
    void refusesOtherNamesAndThoseOfTheProtocol(String name) {
        assertThatThrownBy(() -> new OwnVariable(name, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(name);
    }

    @ParameterizedTest
    @CsvSource({"$$, $", "a$$$$b, a$$b", "'a\nb', 'a\nb'", "\u00e4, \u00e4"})
    void valueIsAFixedText(String value, String sent) {
        assertThat(new OwnVariable("A", value).valueBytes())
                .isEqualTo(sent.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"$client", "a$", "$$$", "a\0b"})
    void refusesVariablesAndNulInAValue(String value) {
        assertThatThrownBy(() -> new OwnVariable("A", value))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void takesNameAndValueAtTheirLimitsAndRefusesMore() {
        String name = "A".repeat(OwnVariable.NAME_MAX_BYTES);
        String value = "\u00e4".repeat(OwnVariable.VALUE_MAX_BYTES / 2);
        assertThat(new OwnVariable(name, value).value()).isEqualTo(value);
        assertThatThrownBy(() -> new OwnVariable(name + "A", ""))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new OwnVariable("A", value + "a"))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
