package dev.serval.servlet.parameter;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Table of Content-Type values.
final class MediaTypeTest {
    @ParameterizedTest(name = "RFC 9110 §8.3.1: {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    text/html                             | text/html
                    Text/HTML                             | text/html
                    application/x-www-form-urlencoded     | application/x-www-form-urlencoded
                    text/html;charset=utf-8               | text/html;charset=utf-8
                    text/html ; charset=utf-8             | text/html;charset=utf-8
                    text/html; charset="utf-8"            | text/html;charset=utf-8
                    text/html;charset=utf-8;              | text/html;charset=utf-8
                    text/html;;charset=utf-8              | text/html;charset=utf-8
                    text/html; a=b; charset=utf-8         | text/html;a=b;charset=utf-8
                    m/f; boundary="a b;c"; x=y            | m/f;boundary="a b;c";x=y
                    m/f; boundary="a\\"b\\\\"             | m/f;boundary="a\\"b\\\\"
                    text/html; charset                    | text/html
                    text/html; charset=                   | text/html
                    text/html; =utf-8                     | text/html
                    text/html; charset=utf 8              | text/html
                    text/html; charset="utf-8             | text/html
                    text/html; charset="a" b; x=y         | text/html;x=y
                    text/html; charset = utf-8            | text/html
                    """)
    void readsType(String value, String expected) {
        MediaType type = requireNonNull(MediaType.parse(value));
        assertThat(type.toString()).isEqualTo(expected);
        assertThat(MediaType.parse(type.toString())).hasToString(expected);
    }

    @ParameterizedTest(name = "RFC 9110 §8.3.1: {0}")
    @ValueSource(strings = {"", "text", "text/", "/html", "a b/c", "text/html, a/b", ";", "a/b/c"})
    void refusesWhatIsNoType(String value) {
        assertThat(MediaType.parse(value)).isNull();
    }

    @Test
    void findsParametersInAnyCase() {
        MediaType type =
                requireNonNull(MediaType.parse("text/html;Charset=a;charset=b;BOUNDARY=c"));
        assertThat(type.charset()).isEqualTo("a");
        assertThat(type.parameter("boundary")).isEqualTo("c");
        assertThat(type.parameter("other")).isNull();
        assertThat(type.is("text/html")).isTrue();
        assertThat(type.without("CHARSET")).hasToString("text/html;BOUNDARY=c");
    }

    @Test
    void ignoresParametersBeyondTheLimit() {
        MediaType type =
                requireNonNull(MediaType.parse("a/b" + ";x=y".repeat(16) + ";charset=utf-8"));
        assertThat(type.charset()).isNull();
        MediaType atLimit =
                requireNonNull(MediaType.parse("a/b" + ";x=y".repeat(15) + ";charset=utf-8"));
        assertThat(atLimit.charset()).isEqualTo("utf-8");
    }
}
