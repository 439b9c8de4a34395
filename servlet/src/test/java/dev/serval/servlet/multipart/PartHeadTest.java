package dev.serval.servlet.multipart;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables of heads and of Content-Disposition.
final class PartHeadTest {
    private static final String NAMED = "Content-Disposition: form-data; name=a\r\n";

    @ParameterizedTest(name = "RFC 7578 §4.2: {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    form-data; name="a"                            | a     | null
                    form-data; name=a                              | a     | null
                    Form-Data;NAME="a"                             | a     | null
                    form-data; name="a";                           | a     | null
                    form-data;; name="a"                           | a     | null
                    form-data ; name="a" ; x=y                     | a     | null
                    form-data; name=""                             | ``    | null
                    form-data; name="a b;c=d"                      | a b;c=d | null
                    form-data; name="a"; filename="b.txt"          | a     | b.txt
                    form-data; filename=b.txt; name=a              | a     | b.txt
                    form-data; name="a"; filename=""               | a     | ``
                    form-data; name="ä"; filename="ö €.txt"        | ä     | ö €.txt
                    form-data; name="a%22b"; filename="c%22d"      | a"b   | c"d
                    form-data; name="a"; filename="c%0D%0Ad%25"    | a     | c%0D%0Ad%25
                    form-data; name="a\\"b"; filename="c\\\\d"     | a"b   | c\\d
                    form-data; name="a"; filename="C:\\dir\\f.txt" | a     | C:\\dir\\f.txt
                    form-data; name="a"; filename*=UTF-8''x%20y    | a     | null
                    form-data; name="a"; filename="../../x"        | a     | ../../x
                    """)
    void readsNames(String disposition, String name, String fileName) {
        PartHead head = requireNonNull(parse("Content-Disposition: " + disposition + "\r\n"));
        assertThat(head.name()).isEqualTo(name);
        assertThat(String.valueOf(head.fileName())).isEqualTo(fileName);
    }

    @Test
    void decodesLineEndsInNameOnly() {
        PartHead head =
                requireNonNull(parse("Content-Disposition: form-data; name=\"a%0D%0Ab\"\r\n"));
        assertThat(head.name()).isEqualTo("a\r\nb");
    }

    @ParameterizedTest(name = "RFC 7578 §4.2: {0}")
    @ValueSource(
            strings = {
                "attachment; name=a",
                "form-data",
                "form-data; filename=a",
                "form-datax; name=a",
                "form-data; name=a; name=b",
                "form-data; name=a; filename=b; filename=c",
                "form-data; name",
                "form-data; name=",
                "form-data; name=\"a",
                "form-data name=a",
                "form-data; name=\"a\"b",
                "form-data; name=a b",
                "form-data; name=\"a\\\"",
                "form-data; \"name\"=a",
                "form-data; =a; name=a"
            })
    void refusesDisposition(String disposition) {
        assertThat(parse("Content-Disposition: " + disposition + "\r\n")).isNull();
    }

    @ParameterizedTest(name = "RFC 2046 §5.1: {0}")
    @ValueSource(
            strings = {
                "",
                "X: y\r\n",
                NAMED + NAMED,
                NAMED + "X\r\n",
                NAMED + ": y\r\n",
                NAMED + "X : y\r\n",
                NAMED + "X: y\n",
                NAMED + "X: a\rb\r\n",
                NAMED + " folded\r\n",
                NAMED + "X: a\0\r\n",
                NAMED + "X\u00e4: a\r\n",
                NAMED + "X: \u00ff\r\n"
            })
    void refusesHead(String lines) {
        assertThat(parseLatin1(lines)).isNull();
    }

    @Test
    void keepsFieldsInOrder() {
        PartHead head =
                requireNonNull(parse("X:  1 \r\n" + NAMED + "x:2\r\nContent-Type: text/plain\r\n"));
        assertThat(head.names()).containsExactly("X", "Content-Disposition", "Content-Type");
        assertThat(head.all("x")).containsExactly("1", "2");
        assertThat(head.first("X")).isEqualTo("1");
        assertThat(head.first("content-type")).isEqualTo("text/plain");
        assertThat(head.first("none")).isNull();
        assertThat(head.all("none")).isEmpty();
    }

    @Test
    void refusesFieldsBeyondTheLimit() {
        assertThat(parse(NAMED + "X: y\r\n".repeat(15))).isNotNull();
        assertThat(parse(NAMED + "X: y\r\n".repeat(16))).isNull();
    }

    private static @Nullable PartHead parse(String lines) {
        byte[] bytes = (lines + "\r\n").getBytes(StandardCharsets.UTF_8);
        return PartHead.parse(bytes, bytes.length, StandardCharsets.UTF_8);
    }

    private static @Nullable PartHead parseLatin1(String lines) {
        byte[] bytes = (lines + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        return PartHead.parse(bytes, bytes.length, StandardCharsets.UTF_8);
    }
}
