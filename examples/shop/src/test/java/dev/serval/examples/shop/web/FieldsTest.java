package dev.serval.examples.shop.web;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FieldsTest {
    /// Returns the request of a form whose only field is `f`.
    private static HttpServletRequest form(@Nullable String value) {
        return (HttpServletRequest)
                Proxy.newProxyInstance(
                        FieldsTest.class.getClassLoader(),
                        new Class<?>[] {HttpServletRequest.class},
                        (_, method, arguments) -> {
                            assertThat(method.getName()).isEqualTo("getParameter");
                            return arguments[0].equals("f") ? value : null;
                        });
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "999999999, 999999999",
        "' 17 ', 17",
        "1000000000, -1",
        "-1, -1",
        "1.5, -1",
        "1e3, -1",
        "'', -1",
        "٣, -1"
    })
    void numberHasOneToNineDigits(String value, int number) {
        assertThat(Fields.number(form(value), "f")).isEqualTo(number);
    }

    @Test
    void missingFieldIsEmpty() {
        assertThat(Fields.text(form(null), "f")).isEmpty();
        assertThat(Fields.number(form(null), "f")).isEqualTo(-1);
        assertThat(new Fields(form(null)).password("f")).isEmpty();
    }

    @Test
    void textHasNoControlCharactersAndAPasswordHasAll() {
        HttpServletRequest request = form(" a\u0000b\tc\n");
        assertThat(Fields.text(request, "f")).isEqualTo("a b c");
        assertThat(new Fields(request).password("f")).isEqualTo(" a\u0000b\tc\n");
    }

    @Test
    void requiredTextHasOneLetterToItsLimit() {
        Fields fields = new Fields(form("abc"));
        assertThat(fields.required("f", 3)).isEqualTo("abc");
        assertThat(fields.areRight()).isTrue();
        fields.required("f", 2);
        fields.required("g", 2);
        assertThat(fields.areRight()).isFalse();
        assertThat(fields.errors())
                .containsEntry("f", "Please use at most 2 letters.")
                .containsEntry("g", "Please fill this in.");
    }

    @Test
    void firstNoteCounts() {
        Fields fields = new Fields(form("abc"));
        fields.wrong("f", "one");
        fields.wrong("f", "two");
        assertThat(fields.errors()).containsEntry("f", "one").hasSize(1);
    }
}
