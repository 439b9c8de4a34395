package dev.serval.coding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MediaTypeSetTest {
    private static final MediaTypeSet SET =
            MediaTypeSet.of(List.of("text/*", "+json", "Application/XML"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "TEXT/plain; charset=utf-8",
                "text/css ;x",
                "application/xml",
                "application/XML;a=b",
                "application/ld+json",
                "application/vnd.x+JSON; q=1"
            })
    void has(String type) {
        assertThat(SET.contains(type)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "text",
                "text/",
                "xtext/html",
                "application/xmlx",
                "application/json",
                "+json",
                "image/png; x=text/html",
                "application/ld+jsonx"
            })
    void hasNot(String type) {
        assertThat(SET.contains(type)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text", "text/", "/html", "*/*", "*", "text/html; x", "+", "a b/c"})
    void refusesWhatIsNoType(String element) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MediaTypeSet.of(List.of(element)))
                .withMessageContaining("must be such as application/json, text/* or +json");
    }

    @Test
    void isEqualByItsElements() {
        assertThat(SET)
                .isEqualTo(MediaTypeSet.of(List.of("text/*", "+json", "application/xml")))
                .isNotEqualTo(Compression.DEFAULT.types());
        assertThat(SET.hashCode()).isEqualTo(MediaTypeSet.of(SET.elements()).hashCode());
    }
}
