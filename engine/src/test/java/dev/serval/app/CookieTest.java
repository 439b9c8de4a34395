package dev.serval.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.ProtocolError;
import dev.serval.http.Status;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Cookies in both directions (RFC 6265).
final class CookieTest {
    @Test
    void hidesCookieFromScriptsAndOtherSitesByDefault() {
        assertThat(Cookie.of("a", "b").text()).isEqualTo("a=b; Path=/; HttpOnly; SameSite=Lax");
    }

    @Test
    void writesEveryAttribute() {
        Cookie cookie =
                Cookie.of("a", "b")
                        .withPath("/x")
                        .withDomain("example.org")
                        .withMaxAge(Duration.ofHours(1))
                        .withSecure(true)
                        .withHttpOnly(false)
                        .withSameSite(Cookie.SameSite.NONE);
        assertThat(cookie.text())
                .isEqualTo("a=b; Path=/x; Domain=example.org; Max-Age=3600; Secure; SameSite=None");
        assertThat(Cookie.removal("a").text())
                .isEqualTo("a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax");
        assertThat(Cookie.of("__Host-a", "b").secure()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b", "a;b", "a,b", "a\"b", "a\\b", "a\r\nSet-Cookie: c=d", "\u0000", "ä"})
    void refusesValuesThatCouldEndTheCookieOrTheLine(String value) {
        assertThatThrownBy(() -> Cookie.of("a", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("encode it first");
        assertThatThrownBy(() -> Cookie.of("a", "b").withPath("/" + value + ";\r\n"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Cookie.of("a", "b").withDomain(value + "\n"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a=b", "a b", "a;", "a\r\n"})
    void refusesNamesThatAreNotTokens(String name) {
        assertThatThrownBy(() -> Cookie.of(name, "b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesCookiesThatBrowsersDrop() {
        assertThatThrownBy(() -> Cookie.of("a", "b").withSameSite(Cookie.SameSite.NONE))
                .hasMessageContaining("withSecure(true)");
        assertThatThrownBy(() -> Cookie.of("__Host-a", "b").withPath("/x"))
                .hasMessageContaining("has the path /");
        assertThatThrownBy(() -> Cookie.of("__Secure-a", "b").withSecure(false))
                .hasMessageContaining("withSecure(true)");
        assertThatThrownBy(() -> Cookie.of("a", "b").withMaxAge(Duration.ofSeconds(-1)))
                .hasMessageContaining("negative time to live");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "a=1|{a=1}",
                "a=1; b=2|'{a=1, b=2}'",
                "a=1;b=2 ;|'{a=1, b=2}'",
                "a=1; a=2|{a=1}",
                "a=b=c|{a=b=c}",
                "a=\"x\"|{a=\"x\"}",
                "; ;a; =x; b=|{b=}"
            })
    void readsCookies(String field, String expected) {
        Map<String, String> cookies = new LinkedHashMap<>();
        assertThat(Cookies.parse(Fields.of(FieldName.COOKIE, field), 10, cookies)).isNull();
        assertThat(cookies.toString()).isEqualTo(expected);
    }

    @Test
    void readsSeveralFieldsUpToOneLimit() {
        Fields fields = Fields.of(FieldName.COOKIE, "a=1; b=2").add(FieldName.COOKIE, "c=3");
        Map<String, String> cookies = new LinkedHashMap<>();
        assertThat(Cookies.parse(fields, 3, cookies)).isNull();
        assertThat(cookies).containsOnlyKeys("a", "b", "c");
        assertThat(Cookies.parse(fields, 2, new LinkedHashMap<>()))
                .isNotNull()
                .extracting(ProtocolError::status)
                .isEqualTo(Status.REQUEST_HEADER_FIELDS_TOO_LARGE);
    }
}
