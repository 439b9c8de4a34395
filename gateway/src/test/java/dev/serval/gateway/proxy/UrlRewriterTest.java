package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// URLs that an upstream sends to a client whose Host is `site.example`. An empty result is a URL that
/// stays.
final class UrlRewriterTest {
    private static final List<String> UPSTREAMS =
            List.of("10.0.0.1:9000", "10.0.0.2:80", "10.0.0.3:443", "unix:/run/a.sock");

    private static @Nullable String url(String url, @Nullable String base, String prefix) {
        return new UrlRewriter(UPSTREAMS, "app.internal", base).url(url, prefix, "site.example");
    }

    @ParameterizedTest
    @CsvSource({
        "http://10.0.0.1:9000/base/x?q#f, /app/x?q#f",
        "HTTP://10.0.0.1:9000/base, /app",
        "http://10.0.0.1:9000/base?q, /app?q",
        "http://10.0.0.1:9000/base/, /app/",
        "http://10.0.0.2/base/x, /app/x",
        "http://10.0.0.2:80/base/x, /app/x",
        "https://10.0.0.3/base/x, /app/x",
        "https://10.0.0.3:443/base/x, /app/x",
        "https://APP.internal/base/x, /app/x",
        "//app.internal/base/x, /app/x",
        "http://site.example/base/x, http://site.example/app/x",
        "https://Site.example/base/x, https://Site.example/app/x",
        "/base/x, /app/x",
        "/base, /app",
        "/base?q=/base, /app?q=/base",
        "/based/x, ",
        "/other, ",
        "/app/x, ",
        "x, ",
        "../x, ",
        "'', ",
        "?q, ",
        "#f, ",
        "http://10.0.0.1:9000/other, ",
        "http://10.0.0.1:9000/based, ",
        "http://10.0.0.1:9001/base/x, ",
        "http://10.0.0.1/base/x, ",
        "http://10.0.0.1:9000.evil/base/x, ",
        "http://elsewhere.example/base/x, ",
        "ftp://10.0.0.1:9000/base/x, ",
        "mailto:a@10.0.0.1, "
    })
    void addressAndBasePathBecomeThoseOfTheMount(String url, @Nullable String expected) {
        assertThat(url(url, "/base", "/app")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "http://10.0.0.1:9000/app/x, /app/x",
        "http://10.0.0.1:9000, /",
        "http://10.0.0.1:9000?q, /?q",
        "http://site.example/app/x, ",
        "/app/x, ",
        "/x, "
    })
    void onlyTheAddressIsRemovedIfThePathIsKept(String url, @Nullable String expected) {
        assertThat(url(url, null, "/app")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "/x, /app/x",
        "/, /app/",
        "http://10.0.0.1:9000/x, /app/x",
        "http://10.0.0.1:9000, /app",
        "http://10.0.0.1:9000?q, /app?q"
    })
    void prefixIsAddedIfItWasStripped(String url, String expected) {
        assertThat(url(url, "", "/app")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "/base/x, /x",
        "/base, /",
        "/base?q, /?q",
        "http://10.0.0.1:9000/base, /",
        "http://site.example/base, http://site.example/"
    })
    void basePathIsRemovedAtTheRoot(String url, String expected) {
        assertThat(url(url, "/base", "")).isEqualTo(expected);
    }

    /// What is left of a URL must not name another host.
    @ParameterizedTest
    @CsvSource({
        "http://10.0.0.1:9000//evil.example/x, , /evil.example/x",
        "http://10.0.0.1:9000/\\evil.example/x, , /evil.example/x",
        "http://10.0.0.1:9000/base//evil.example, /base, /evil.example",
        "/base//evil.example, /base, /evil.example",
        "/base/\\evil.example, /base, /evil.example",
        "'/base/\t/evil.example', /base, /evil.example"
    })
    void neverNamesAnotherHost(String url, @Nullable String base, String expected) {
        assertThat(url(url, base, "")).isEqualTo(expected);
    }
}
