package dev.serval.servlet.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Where the charset of a response comes from, and what takes it back (Javadoc of ServletResponse).
final class ResponseTypeTest {
    private final ResponseType type = new ResponseType("UTF-8");

    @Test
    void declaredCharsetIsTheWeakest() {
        assertThat(type.charsetName()).isEqualTo("UTF-8");
        type.charsetOfLocale("Shift_JIS");
        assertThat(type.charsetName()).isEqualTo("Shift_JIS");
        type.charset("KOI8-R");
        assertThat(type.charsetName()).isEqualTo("KOI8-R");
        type.set("text/plain; charset=ISO-8859-2");
        assertThat(type.value()).isEqualTo("text/plain;charset=ISO-8859-2");
    }

    /// The head is made when the application has returned and cannot be told any more.
    @ParameterizedTest
    @ValueSource(strings = {"a\rb", "a\nb", "\u0000", "text/plain; x=\u001b", "a\u007f"})
    void refusesControlCharactersAtOnce(String value) {
        type.set("text/plain");
        assertThatThrownBy(() -> type.set(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Content-Type");
        assertThatThrownBy(() -> type.charset(value)).isInstanceOf(IllegalArgumentException.class);
        assertThat(type.value()).isEqualTo("text/plain");
        type.set("text/plain;\tx=é");
        assertThat(type.value()).isEqualTo("text/plain;\tx=é");
    }

    @Test
    void localeWithoutACharsetLeavesTheDeclaredOne() {
        type.charsetOfLocale("Shift_JIS");
        type.charsetOfLocale(null);
        assertThat(type.charsetName()).isEqualTo("UTF-8");
    }

    @Test
    void nullCharsetLeavesTheDeclaredOne() {
        type.set("text/plain;charset=KOI8-R");
        type.charsetOfLocale("Shift_JIS");
        type.charset(null);
        assertThat(type.charsetName()).isEqualTo("UTF-8");
        assertThat(type.value()).isEqualTo("text/plain");
    }

    @Test
    void declaredCharsetIsNamedOnlyIfAWriterUsesIt() {
        type.set("image/png");
        assertThat(type.value()).isEqualTo("image/png");
        type.fix();
        assertThat(type.value()).isEqualTo("image/png;charset=UTF-8");
    }

    @Test
    void nullTypeLeavesTheDeclaredCharsetOnly() {
        type.charset("KOI8-R");
        type.charsetOfLocale("Shift_JIS");
        type.set(null);
        assertThat(type.value()).isNull();
        assertThat(type.charsetName()).isEqualTo("UTF-8");
    }

    @Test
    void clearRestoresTheDeclaredCharset() {
        type.set("text/plain;charset=KOI8-R");
        type.fix();
        type.clear();
        assertThat(type.value()).isNull();
        type.set("text/html");
        assertThat(type.value()).isEqualTo("text/html");
        assertThat(type.charsetName()).isEqualTo("UTF-8");
        type.charset(null);
        type.clear();
        assertThat(type.charsetName()).isEqualTo("UTF-8");
    }

    @Test
    void writerFixesTheCharset() {
        type.fix();
        type.charset("KOI8-R");
        type.charset(null);
        type.charsetOfLocale("Shift_JIS");
        type.set("text/plain;charset=KOI8-R");
        assertThat(type.value()).isEqualTo("text/plain;charset=UTF-8");
        type.set(null);
        assertThat(type.charsetName()).isEqualTo("UTF-8");
    }

    @Test
    void withoutAnyDeclarationTheCharsetIsSentOnlyForAWriter() {
        ResponseType plain = new ResponseType(null);
        plain.set("text/plain");
        assertThat(plain.value()).isEqualTo("text/plain");
        plain.fix();
        assertThat(plain.value()).isEqualTo("text/plain;charset=ISO-8859-1");
    }
}
