package dev.serval.servlet.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Ids go only into URLs of the application, before query and fragment, and are read back.
final class SessionUrlTest {
    private static final SessionUrl.RequestUrl BASE =
            new SessionUrl.RequestUrl("http", "example.org", 80, "/shop/cart/list", "page=2");
    private static final SessionUrl.RequestUrl TLS =
            new SessionUrl.RequestUrl("https", "[::1]", 8443, "/shop/", null);

    private final SessionUrl urls = new SessionUrl("JSESSIONID", "/shop");
    private final SessionUrl root = new SessionUrl("JSESSIONID", "");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/shop/a                     | /shop/a;jsessionid=ID",
                "/shop/a?x=1                 | /shop/a;jsessionid=ID?x=1",
                "/shop/a#top                 | /shop/a;jsessionid=ID#top",
                "/shop/a?x=1#top             | /shop/a;jsessionid=ID?x=1#top",
                "/shop/a#top?x               | /shop/a;jsessionid=ID#top?x",
                "/shop                       | /shop/;jsessionid=ID",
                "/shop/                      | /shop/;jsessionid=ID",
                "/shop;v=1                   | /shop;v=1;jsessionid=ID",
                "/shop/a;v=1                 | /shop/a;v=1;jsessionid=ID",
                "item                        | item;jsessionid=ID",
                "item?u=http://x/            | item;jsessionid=ID?u=http://x/",
                "./item                      | ./item;jsessionid=ID",
                "../item                     | ../item;jsessionid=ID",
                "/%73hop/a                   | /%73hop/a;jsessionid=ID",
                "/%73hop                     | /%73hop/;jsessionid=ID",
                "../../shop                  | ../../shop/;jsessionid=ID",
                "?page=3                     | /shop/cart/list;jsessionid=ID?page=3",
                "''                          | /shop/cart/list;jsessionid=ID?page=2",
                "http://example.org/shop/a   | http://example.org/shop/a;jsessionid=ID",
                "HTTP://Example.ORG:80/shop/ | HTTP://Example.ORG:80/shop/;jsessionid=ID",
                "http://example.org:/shop    | http://example.org:/shop/;jsessionid=ID",
                "//example.org/shop?a        | //example.org/shop/;jsessionid=ID?a",
                "/shop/a;jsessionid=OTHER    | /shop/a;jsessionid=OTHER;jsessionid=ID",
            })
    void encodesUrlsOfTheApplication(String url, String expected) {
        String encoded = urls.encode(url, "ID", BASE);
        assertThat(encoded).isEqualTo(expected);
        assertThat(urls.encode(encoded, "ID", BASE)).isEqualTo(encoded); // once
        String path = encoded.split("[?#]", -1)[0];
        assertThat(urls.idOf(path)).isEqualTo("ID");
    }

    @ParameterizedTest
    @CsvSource({
        "#top",
        "/",
        "/other/a",
        "/shopping",
        "/shop/../other",
        "/shop/%2e%2E/other",
        "/shop/.%2e/other",
        "../../other",
        "/%2573hop/a",
        "/shop%2Fa",
        "../../../../other",
        "http://example.org",
        "http://example.org/",
        "https://example.org/shop/a",
        "http://example.org:8080/shop/a",
        "http://example.com/shop/a",
        "http://user@example.org/shop/a",
        "http://example.org@evil.test/shop/a",
        "http:shop/a",
        "//evil.test/shop/a",
        "///shop/a",
        "/\\evil.test/shop",
        "\\\\evil.test/shop",
        "/shop\\..\\other",
        "mailto:ann@example.org",
        "javascript:void(0)",
        "' /shop/a'",
        "'/shop/a\tb'",
        "'/shop/a\r\nX: y'",
    })
    void leavesOtherUrls(String url) {
        assertThat(urls.encode(url, "ID", BASE)).isEqualTo(url);
    }

    @ParameterizedTest
    @CsvSource({
        "/, /;jsessionid=ID",
        "/any, /any;jsessionid=ID",
        "http://example.org, http://example.org/;jsessionid=ID",
        "http://example.org?a, http://example.org/;jsessionid=ID?a",
        "//example.org#a, //example.org/;jsessionid=ID#a",
        "/\\evil.test/, /\\evil.test/",
        "//evil.test/, //evil.test/",
    })
    void rootContextHasAllPathsOfItsServer(String url, String expected) {
        assertThat(root.encode(url, "ID", BASE)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"''", "?x=1"})
    void doesNotMakeAnotherHostOfTheRequestPath(String url) { // RFC 3986 §4.2, network-path
        SessionUrl.RequestUrl base =
                new SessionUrl.RequestUrl("http", "example.org", 80, "//evil.test/a", null);
        assertThat(root.encode(url, "ID", base)).isEqualTo(url);
        assertThat(root.encode("b", "ID", base)).isEqualTo("b;jsessionid=ID");
    }

    @ParameterizedTest
    @CsvSource({
        "https://[::1]:8443/shop/a, https://[::1]:8443/shop/a;jsessionid=ID",
        "https://[::1]/shop/a, https://[::1]/shop/a",
        "https://[::2]:8443/shop/a, https://[::2]:8443/shop/a",
        "http://[::1]:8443/shop/a, http://[::1]:8443/shop/a",
        "'', /shop/;jsessionid=ID",
    })
    void comparesPortsAndAddresses(String url, String expected) {
        assertThat(urls.encode(url, "ID", TLS)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "/shop/a;jsessionid=X           | X",
                "/shop;jsessionid=X/a           | X",
                "/shop;jsessionid=X;v=1/a       | X",
                "/shop;v=1;jsessionid=X         | X",
                "/shop;jsessionid=X/a;jsessionid=Y | Y",
                "/shop/a                        | none",
                "/shop/a;JSESSIONID=X           | none",
                "/shop/a;xjsessionid=X          | none",
                "/shop/a;jsessionid=            | none",
                "/shop/a;jsessionid             | none",
                "/shop/a;jsessionid=/b          | none",
                "/shop/jsessionid=X             | none",
            })
    void readsTheLastParameter(String path, String expected) {
        assertThat(urls.idOf(path)).isEqualTo(expected);
    }

    @Test
    void parameterSharesTheNameOfACustomCookie() { // §7.1.1
        SessionUrl custom = new SessionUrl("SID", "/shop");
        assertThat(custom.encode("/shop/a", "ID", BASE)).isEqualTo("/shop/a;SID=ID");
        assertThat(custom.idOf("/shop/a;SID=X")).isEqualTo("X");
        assertThat(custom.idOf("/shop/a;jsessionid=X")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "/shop/a, /shop/a",
        "/shop/a;jsessionid=ID, /shop/a",
        "/shop;jsessionid=ID/a;v=1;jsessionid=ID2;w=2, /shop/a;v=1;w=2",
        "/shop/a;jsessionid=, /shop/a",
        "/shop/a;other=ID, /shop/a;other=ID",
    })
    void removesIds(String path, String expected) {
        assertThat(urls.withoutId(path)).isEqualTo(expected);
    }
}
