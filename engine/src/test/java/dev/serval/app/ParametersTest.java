package dev.serval.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ParametersTest {
    private static final ProtocolError TOO_MANY =
            new ProtocolError(Status.CONTENT_TOO_LARGE, "too many", "test");

    private static @Nullable ProtocolError parse(Parameters into, String text, int most) {
        byte[] bytes = ("##" + text + "##").getBytes(StandardCharsets.ISO_8859_1);
        return into.parse(bytes, 2, bytes.length - 2, most, TOO_MANY);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "'' {}",
                "a {a=[]}",
                "a= {a=[]}",
                "a=1 {a=[1]}",
                "a=1&b=2&a=3 '{a=[1, 3], b=[2]}'",
                "&&a=1& {a=[1]}",
                "a=b=c {a=[b=c]}",
                "=1 {=[1]}",
                "a+b=c%20d '{a b=[c d]}'",
                "%61=%C3%A4%e2%82%ac {a=[ä€]}",
                "a=%26%3D%25%2B {a=[&=%+]}"
            })
    void readsPairs(String text, String expected) {
        Parameters parameters = new Parameters();
        assertThat(parse(parameters, text, 10)).isNull();
        assertThat(parameters.toString()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a=%", "a=%4", "a=%4g", "%zz=1", "a=1&b=%", "a=%C3", "a=%FF", "%C0%80=1"})
    void refusesUndecodableText(String text) {
        @Nullable ProtocolError wrong = parse(new Parameters(), text, 10);
        assertThat(wrong)
                .isNotNull()
                .extracting(ProtocolError::status)
                .isEqualTo(Status.BAD_REQUEST);
    }

    @Test
    void acceptsParametersUpToTheLimit() {
        Parameters parameters = new Parameters();
        assertThat(parse(parameters, "a=1&b=2&a=3", 3)).isNull();
        assertThat(parse(new Parameters(), "a=1&b=2&a=3&c", 3)).isEqualTo(TOO_MANY);
    }

    @Test
    void readsOrRefusesEverySubstring() {
        String text = "name=%C3%A4+x&%62=%e2%82%ac&&c";
        for (int from = 0; from <= text.length(); from++) {
            for (int to = from; to <= text.length(); to++) {
                Parameters parameters = new Parameters();
                @Nullable ProtocolError wrong = parse(parameters, text.substring(from, to), 10);
                assertThat(wrong == null || wrong.status().equals(Status.BAD_REQUEST)).isTrue();
            }
        }
    }

    @Test
    void readsCollidingNamesInReasonableTime() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 1 << 14; i++) { // "Aa" and "BB" have the same hash code
            for (int bit = 0; bit < 14; bit++) {
                text.append((i >> bit & 1) == 0 ? "Aa" : "BB");
            }
            text.append('&');
        }
        Parameters parameters = new Parameters();
        assertThat(parse(parameters, text.toString(), 1 << 14)).isNull();
        assertThat(parameters.names()).hasSize(1 << 14);
    }

    @Test
    void readsOrRefusesNumbers() {
        Parameters parameters = new Parameters();
        assertThat(parse(parameters, "page=7&size=many", 10)).isNull();
        assertThat(parameters.number("page", 1)).isEqualTo(7);
        assertThat(parameters.number("absent", 1)).isEqualTo(1);
        assertThatThrownBy(() -> parameters.number("size", 1))
                .isInstanceOf(HttpException.class)
                .hasMessage("The parameter size must be a whole number.");
    }
}
