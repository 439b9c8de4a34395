package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Any Location or Set-Cookie of an upstream: there is no exception, and what was changed is not
/// changed again. A changed URL never names another host, as browsers read it, and a changed cookie
/// keeps its name and value.
final class RewriteFuzz {
    private static final String HOST = "site.example";
    private static final UrlRewriter URLS =
            new UrlRewriter(List.of("10.0.0.1:9000", "up.internal:80"), "app.internal", "/base");
    private static final CookieRewriter COOKIES =
            new CookieRewriter(Rewriting.DEFAULT, Rewriting.DEFAULT, URLS);

    @FuzzTest(maxDuration = "20s")
    void location(byte[] bytes) {
        String url = text(bytes);
        for (String prefix : new String[] {"/app", ""}) {
            String moved = URLS.url(url, prefix, HOST);
            if (moved == null) {
                continue;
            }
            // WHATWG URL: tabs are skipped, and a backslash is a slash.
            String seen = moved.replace("\t", "").replace('\\', '/');
            if (seen.startsWith("//")) {
                assertThat(seen).as("from %s", url).startsWithIgnoringCase("//" + HOST + "/");
            } else if (!moved.startsWith("/")) {
                assertThat(moved).startsWithIgnoringCase("http").containsIgnoringCase("//" + HOST);
            }
            if (!prefix.isEmpty()) {
                assertThat(URLS.url(moved, prefix, HOST)).isNull();
            }
        }
    }

    @FuzzTest(maxDuration = "20s")
    void cookie(byte[] bytes) {
        String cookie = text(bytes);
        String changed = COOKIES.cookie(cookie, "/app", HOST);
        if (changed != null) {
            int end = cookie.indexOf(';');
            assertThat(end).isNotNegative();
            assertThat(changed).startsWith(cookie.substring(0, end));
            assertThat(count(changed)).isLessThanOrEqualTo(count(cookie));
            assertThat(changed).doesNotContain("\r", "\n", "\0");
            assertThat(COOKIES.cookie(changed, "/app", HOST)).isNull();
        }
    }

    @Test
    void scrambledFieldsAreChangedOnce() {
        Scrambled.each(
                20_000,
                this::location,
                "http://10.0.0.1:9000/base/x?q#f",
                "//app.internal/base",
                "https://Site.example/base/x",
                "/base//evil.example/x",
                "http://up.internal/base\\/evil",
                "/\t/evil",
                "/base/../x");
        Scrambled.each(
                20_000,
                this::cookie,
                "a=b; Path=/base/x; Secure",
                "a=b; Domain=.UP.internal; HttpOnly",
                ";path=/base;domain=10.0.0.1",
                "x; PATH =  /base ; Max-Age=1");
    }

    private static long count(String cookie) {
        return cookie.chars().filter(c -> c == ';').count();
    }

    /// Returns a valid value of a field.
    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1)
                .replaceAll("[\\x00-\\x08\\x0a-\\x1f\\x7f]", "")
                .strip();
    }
}
