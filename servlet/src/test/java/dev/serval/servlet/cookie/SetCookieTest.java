package dev.serval.servlet.cookie;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.http.Cookie;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tables of attributes and of what is refused.
final class SetCookieTest {
    @Test
    void writesNameAndValue() {
        assertThat(SetCookie.text(new Cookie("a", "1"), 0)).isEqualTo("a=1");
        assertThat(SetCookie.text(new Cookie("a", ""), 0)).isEqualTo("a=");
        assertThat(SetCookie.text(new Cookie("a", null), 0)).isEqualTo("a=");
        assertThat(SetCookie.text(new Cookie("a", "\"1\""), 0)).isEqualTo("a=\"1\"");
    }

    @Test
    void writesEveryAttributeOnce() {
        Cookie cookie = new Cookie("a", "1");
        cookie.setPath("/x");
        cookie.setDomain(".Example.org");
        cookie.setMaxAge(60);
        cookie.setSecure(true);
        cookie.setHttpOnly(true);
        cookie.setAttribute("SameSite", "Strict");
        cookie.setAttribute("Partitioned", "");
        cookie.setAttribute("Priority", "High");
        assertThat(SetCookie.text(cookie, 0))
                .isEqualTo(
                        "a=1; Expires=Thu, 01 Jan 1970 00:01:00 GMT; Domain=example.org; HttpOnly;"
                                + " Max-Age=60; Partitioned; Path=/x; Priority=High; SameSite=Strict; Secure");
    }

    @ParameterizedTest(name = "Cookie.setAttribute: {0}={1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    Secure   | true       | a=1; Secure
                    secure   | false      | a=1
                    HttpOnly | false      | a=1
                    Max-Age  | 0          | a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT
                    Max-Age  | 1          | a=1; Expires=Thu, 01 Jan 1970 00:00:01 GMT; Max-Age=1
                    Max-Age  | -1         | a=1
                    Expires  | Sun, 06 Nov 1994 08:49:37 GMT | a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT
                    Path     | "/x"       | a=1; Path="/x"
                    Path     | ``         | a=1; Path
                    Domain   | localhost  | a=1; Domain=localhost
                    other    | x=y, z     | a=1; other=x=y, z
                    """)
    void writesAttribute(String name, String value, String expected) {
        Cookie cookie = new Cookie("a", "1");
        cookie.setAttribute(name, value);
        assertThat(SetCookie.text(cookie, 0)).isEqualTo(expected);
    }

    @Test
    void removalReplacesExpires() {
        Cookie cookie = new Cookie("a", "1");
        cookie.setAttribute("expires", "Sun, 06 Nov 2094 08:49:37 GMT");
        cookie.setMaxAge(0);
        cookie.setPath("/");
        assertThat(SetCookie.text(cookie, 0))
                .isEqualTo("a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1;2",
                "1,2",
                "1 2",
                "1\\2",
                "1\"2",
                "\"",
                "\"1\"2\"",
                "1\r\nSet-Cookie: b=2",
                "1\n",
                "1\0",
                "1\t2",
                "1\u007f",
                "1\u0085",
                "ä",
                "€",
                "\ud83d\ude00"
            })
    void refusesBadValue(String value) {
        assertThatThrownBy(() -> SetCookie.text(new Cookie("name", value), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("name")
                .hasMessageMatching("[ -~§]*U\\+[0-9A-F]{4}[ -~§]*");
    }

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    Path, /x;Secure
                    Path, '/x\r\nA: b'
                    Path, /ä
                    Domain, a b
                    Domain, a;b
                    Domain, a_b
                    Domain, a:80
                    SameSite, Lax;x
                    Expires, 'Sun; x'
                    """)
    void refusesBadAttribute(String name, String value) {
        Cookie cookie = new Cookie("a", "1");
        cookie.setAttribute(name, value.replace("\\r\\n", "\r\n"));
        assertThatThrownBy(() -> SetCookie.text(cookie, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("U+");
    }
}
