package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Cookies that an upstream sets for a client whose Host is `site.example:8443`. An empty result is a
/// cookie that stays as it is.
final class CookieRewriterTest {
    private static final UrlRewriter URLS =
            new UrlRewriter(List.of("up.internal:9000", "10.0.0.2"), "app.internal", "/base");

    private static @Nullable String usual(String cookie) {
        return cookie(cookie, Rewriting.DEFAULT, Rewriting.DEFAULT);
    }

    private static @Nullable String cookie(String cookie, Rewriting paths, Rewriting domains) {
        return new CookieRewriter(paths, domains, URLS).cookie(cookie, "/app", "site.example:8443");
    }

    @ParameterizedTest
    @CsvSource({
        "a=b; Path=/base, a=b; Path=/app",
        "a=b; Path=/base/, a=b; Path=/app/",
        "a=b; Path=/base/x, a=b; Path=/app/x",
        "a=b;path=/base;HttpOnly, a=b;path=/app;HttpOnly",
        "a=b; PATH =  /base ; Secure, a=b; PATH =/app; Secure",
        "a=b; Path=/based, ",
        "a=b; Path=/, ",
        "a=b; Path=base, ",
        "a=b; Path, ",
        "a=b; Path=, ",
        "a=b, ",
        "'', ",
        "Path=/base, ",
        "'a=Path=/base; Secure ;; ', ",
        "a=b; Pathological=/base, ",
        "a=b; Path=/base; Path=/base/x, a=b; Path=/app; Path=/app/x"
    })
    void basePathBecomesThatOfTheMount(String cookie, @Nullable String expected) {
        assertThat(usual(cookie)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "a=b; Domain=up.internal; Secure, a=b; Secure",
        "a=b; Domain=.UP.internal, a=b",
        "a=b; domain = app.internal;Path=/base, a=b;Path=/app",
        "a=b; Domain=10.0.0.2, a=b",
        "a=b; Domain=internal, ",
        "a=b; Domain=site.example, ",
        "a=b; Domain=, ",
        "a=b; Domain, "
    })
    void domainOfTheUpstreamIsRemoved(String cookie, @Nullable String expected) {
        assertThat(usual(cookie)).isEqualTo(expected);
    }

    @Test
    void domainThatIsTheClientsStays() {
        UrlRewriter same = new UrlRewriter(List.of("site.example:80"), null, "/base");
        assertThat(
                        new CookieRewriter(Rewriting.OFF, Rewriting.DEFAULT, same)
                                .cookie("a=b; Domain=site.example", "", "site.example"))
                .isNull();
    }

    @Test
    void pathOfAStrippedPrefixHoldsForTheMountItself() {
        UrlRewriter stripped = new UrlRewriter(List.of(), null, "");
        CookieRewriter cookies = new CookieRewriter(Rewriting.DEFAULT, Rewriting.OFF, stripped);
        assertThat(cookies.cookie("a=b; Path=/", "/app", "h")).isEqualTo("a=b; Path=/app");
        assertThat(cookies.cookie("a=b; Path=/x", "/app", "h")).isEqualTo("a=b; Path=/app/x");
        assertThat(cookies.cookie("a=b; Path=/", "", "h")).isNull();
    }

    @Test
    void nothingChangesIfItIsOff() {
        String cookie = "a=b; Path=/base; Domain=up.internal";
        assertThat(cookie(cookie, Rewriting.OFF, Rewriting.OFF)).isNull();
        assertThat(cookie(cookie, Rewriting.DEFAULT, Rewriting.OFF))
                .isEqualTo("a=b; Path=/app; Domain=up.internal");
        assertThat(cookie(cookie, Rewriting.OFF, Rewriting.DEFAULT)).isEqualTo("a=b; Path=/base");
    }

    @Test
    void firstPairThatFitsDecides() {
        Rewriting paths =
                new Rewriting(
                        true,
                        List.of(
                                new Rewriting.Pair("/base/a", "/A"),
                                new Rewriting.Pair("/base/", "/B/")));
        assertThat(cookie("a=b; Path=/base/a/x", paths, Rewriting.OFF)).isEqualTo("a=b; Path=/A/x");
        assertThat(cookie("a=b; Path=/base/b", paths, Rewriting.OFF)).isEqualTo("a=b; Path=/B/b");
        assertThat(cookie("a=b; Path=/base", paths, Rewriting.OFF)).isEqualTo("a=b; Path=/app");
    }

    @Test
    void domainsAreReplacedOrRemovedByPairs() {
        Rewriting domains =
                Rewriting.of(
                        List.of(
                                new Rewriting.Pair("up.internal", "site.example"),
                                new Rewriting.Pair(".old.internal", "")));
        assertThat(cookie("a=b; Domain=.up.internal; Secure", Rewriting.OFF, domains))
                .isEqualTo("a=b; Domain=site.example; Secure");
        assertThat(cookie("a=b; Domain=OLD.internal", Rewriting.OFF, domains)).isEqualTo("a=b");
        assertThat(cookie("a=b; Domain=x.up.internal", Rewriting.OFF, domains)).isNull();
    }
}
