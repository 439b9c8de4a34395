package dev.serval.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.conn.MemoryServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RedirectTest {
    @ParameterizedTest
    @CsvSource({
        "/old, /new, /old, /new",
        "/old, https://example.org/x?y#z, /old?q=1, https://example.org/x?y#z",
        "/old/*, /new/, /old, /new/",
        "/old/*, /new/, /old/, /new/",
        "/old/*, /new/, /old/a/b%20c%3Fd, /new/a/b%20c%3Fd",
        "/old/*, /new/, /old/../old/./a, /new/a",
        "/old/**, /new, /old, /new",
        "/old/**, /new, /old/a?q=1, /new",
        "/**, https://example.org/x, /a/b, https://example.org/x",
        "/old/*, /, /old//evil.example/x, /evil.example/x",
        "/old/*, /, /old/%09/evil.example, ''",
        "/old/*, https://example.org/, /old/@evil.example, https://example.org/@evil.example",
        "/*, https://$host/, /a/b, https://h.example/a/b",
        "/*, https://$host/, /cart;id=A?x=1, https://h.example/cart;id=A",
        "/*, https://$host/, /cart%3bid=A, https://h.example/cart%3bid=A",
        "/*, https://$host/, /a%20b;c=%41/./d!$&()*+=:@~, https://h.example/a%20b;c=%41/d!$&()*+=:@~",
        "/*, https://$host/, //evil.example;a/%2E%2e/b;c/%2e/, https://h.example/b;c/",
        "/*, https://$host/, http://h.example/a|b;c, https://h.example/a%7Cb;c",
        "/*, https://$host/, http://h.example/./a[;c?d, https://h.example/a%5B;c",
        "/*, https://$host/, http://h.example?d, https://h.example/",
        "/\u00e9/*, /new/, /%C3%A9//%c3%a9;a/b, /new/%c3%a9;a/b",
        "/old/x/*, /new/, /%6fld//x/a;b/c%2Cd, /new/a;b/c%2Cd",
        "/*, https://$host:8443/, /, https://h.example:8443/",
        "/*, https://$host/, //evil.example/%2e%2e/, https://h.example/"
    })
    void leadsTo(String from, String to, String target, String location) {
        Redirect redirect = new Redirect(new Redirect.Rule(from, to, 301, false));
        try (MemoryServer server = Rules.at("/", redirect, Rules.says("rest"))) {
            String answer = Rules.answer(server, "GET " + target);
            if (location.isEmpty()) {
                assertThat(answer).startsWith("HTTP/1.1 400 ");
            } else {
                assertThat(answer)
                        .startsWith("HTTP/1.1 301 Moved Permanently\r\n")
                        .contains("\r\nLocation: " + location + "\r\n");
            }
        }
    }

    @Test
    void pathBelowAMountStaysAsItWasSent() {
        Redirect redirect = new Redirect(new Redirect.Rule("/a/*", "/n/", 308, true));
        try (MemoryServer server = Rules.at("/m/n", redirect)) {
            assertThat(Rules.answer(server, "GET /m//n/a/%62;c?d"))
                    .contains("Location: /n/%62;c?d\r\n");
            assertThat(Rules.answer(server, "GET /m/n/a/b;c?d")).contains("Location: /n/b;c?d\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void keepsTheQueryIfAsked(int status) {
        Redirect redirect = new Redirect(new Redirect.Rule("/*", "/n/", status, true));
        try (MemoryServer server = Rules.at("/m", redirect)) {
            assertThat(Rules.answer(server, "POST /m/a?x=1&y"))
                    .startsWith("HTTP/1.1 " + status + " ")
                    .contains("\r\nLocation: /n/a?x=1&y\r\n");
            assertThat(Rules.answer(server, "GET /m/a")).contains("\r\nLocation: /n/a\r\n");
        }
        Redirect more = new Redirect(new Redirect.Rule("/a", "/b?c=d", status, true));
        try (MemoryServer server = Rules.at("/", more)) {
            assertThat(Rules.answer(server, "GET /a?x=1")).contains("Location: /b?c=d&x=1\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({"/old, /old/", "/old, /older", "/old/*, /older", "/old, /OLD"})
    void passesOtherPathsOn(String from, String target) {
        Redirect redirect = new Redirect(new Redirect.Rule(from, "/new/", 301, false));
        try (MemoryServer server = Rules.at("/", redirect, Rules.says("rest"))) {
            assertThat(Rules.content(server, "GET " + target)).isEqualTo("rest " + target);
        }
    }

    @Test
    void takesTheHostThatATrustedProxyTells() {
        Redirect redirect = new Redirect(new Redirect.Rule("/*", "https://$host/", 301, false));
        try (MemoryServer server = Rules.at("/", redirect)) {
            server.trust("0.0.0.0/0");
            String told = "X-Forwarded-Host: shop.example:8443";
            assertThat(Rules.answer(server, "GET /a", told))
                    .contains("Location: https://shop.example/a\r\n");
        }
    }

    @Test
    void needsAHostForItsName() {
        Redirect redirect = new Redirect(new Redirect.Rule("/*", "https://$host/", 301, false));
        try (MemoryServer server = Rules.at("/", redirect)) {
            assertThat(server.ask(server.connect(), "GET /a HTTP/1.0\r\n\r\n"))
                    .startsWith("HTTP/1.1 400 ");
            assertThat(server.ask(server.connect(), "GET /a HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"))
                    .contains("Location: https://[::1]/a\r\n");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "old, /new, 301",
        "/o*d, /new, 301",
        "/a/*, /new, 301",
        "/a/*, https://example.org, 301",
        "/a, //evil.example/, 301",
        "/a, '/\\evil.example', 301",
        "/a, javascript:alert(1), 301",
        "/a, https://user@example.org/, 301",
        "/a, https://$hostile/, 301",
        "/a, '/b c', 301",
        "/a, new, 301",
        "/a, /new, 304",
        "/a, /new, 200"
    })
    void refusesRulesThatMakeNoSense(String from, String to, int status) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Redirect.Rule(from, to, status, false))
                .withMessageContaining("redirect");
    }

    @Test
    void messageTellsOfCharactersThatMustBeEncoded() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Redirect.Rule("/a", "/ü", 301, false))
                .withMessageContaining("letters beyond ASCII encoded");
    }
}
