package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.serval.gateway.peer.Upstream;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class StickyCookieTest {
    private static final String SECRET = "0123456789abcdef";

    private static List<Upstream> upstreams(String... names) {
        return Arrays.stream(names).map(StickyCookieTest::upstream).toList();
    }

    private static Upstream upstream(String name) {
        return new Upstream(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), name);
    }

    private static StickyCookie own(String secret, String... names) {
        return new StickyCookie(new Stickiness.OwnCookie("srv", secret), upstreams(names));
    }

    private static String value(StickyCookie cookie, int upstream) {
        String field = cookie.setCookie(upstream, "/", false);
        return field.substring("srv=".length(), field.indexOf(';'));
    }

    private static Fields cookies(String... values) {
        Fields fields = new Fields();
        for (String value : values) {
            fields.add(FieldName.COOKIE, value);
        }
        return fields;
    }

    @Test
    void fieldHasTheAttributesOfTheMount() {
        StickyCookie cookie = own(SECRET, "10.0.0.1:80", "10.0.0.2:80");
        assertThat(cookie.setCookie(1, "/app", false))
                .matches("srv=[A-Za-z0-9_-]{20}; Path=/app; HttpOnly; SameSite=Lax");
        assertThat(cookie.setCookie(1, "/app", true)).endsWith("; SameSite=Lax; Secure");
    }

    @Test
    void valueIsFoundAmongOtherCookies() {
        StickyCookie cookie = own(SECRET, "a:1", "b:1");
        String first = value(cookie, 0);
        String second = value(cookie, 1);
        assertThat(cookie.find(cookies("srv=" + first))).isZero();
        assertThat(cookie.find(cookies("srv=" + second))).isEqualTo(1);
        assertThat(cookie.find(cookies("x=1; srv=" + second + "; y=2"))).isEqualTo(1);
        assertThat(cookie.find(cookies("x=1;srv=" + second + " "))).isEqualTo(1);
        assertThat(cookie.find(cookies("x=1", "srv=" + second))).isEqualTo(1);
        assertThat(cookie.find(cookies("srv=old; srv=" + second))).isEqualTo(1);
    }

    @Test
    void otherValuesAreNotFound() {
        StickyCookie cookie = own(SECRET, "a:1", "b:1");
        String first = value(cookie, 0);
        for (String text :
                List.of(
                        "",
                        "srv",
                        "srv=",
                        "srv=" + first + "x",
                        "srv=" + first.substring(1),
                        "xsrv=" + first,
                        "SRV=" + first,
                        "srv2=" + first,
                        "x=srv=" + first)) {
            assertThat(cookie.find(cookies(text))).as(text).isEqualTo(-1);
        }
        assertThat(cookie.find(Fields.EMPTY)).isEqualTo(-1);
    }

    @Test
    void valueDependsOnTheSecretAndTheAddressOnly() {
        String value = value(own(SECRET, "a:1", "b:1"), 0);
        assertThat(value(own(SECRET, "c:1", "a:1"), 1)).isEqualTo(value);
        assertThat(value(own(SECRET + "x", "a:1"), 0)).isNotEqualTo(value);
        assertThat(value(own(SECRET, "a:2"), 0)).isNotEqualTo(value);
    }

    @Test
    void randomKeyIsThatOfTheProcess() {
        Stickiness random = new Stickiness.OwnCookie("srv", null);
        String value = value(new StickyCookie(random, upstreams("a:1")), 0);
        assertThat(value(new StickyCookie(random, upstreams("a:1")), 0)).isEqualTo(value);
        assertThat(value(own(SECRET, "a:1"), 0)).isNotEqualTo(value);
    }

    @ParameterizedTest
    @CsvSource({
        "JSESSIONID=0123ABC.one, 0",
        "JSESSIONID=0123ABC.three, 2",
        "JSESSIONID=0123.ABC.three, 2",
        "JSESSIONID=\"0123.three\", 2",
        "JSESSIONID=0123ABC, -1",
        "JSESSIONID=one, -1",
        "JSESSIONID=.one, 0",
        "JSESSIONID=0123., -1",
        "JSESSIONID=0123.two, -1",
        "JSESSIONID=0123.ONE, -1",
        "jsessionid=0123.one, -1",
        "JSESSIONID=1.two; JSESSIONID=2.three, 2"
    })
    void routeIsWhatFollowsTheLastDot(String text, int expected) {
        Stickiness routes =
                new Stickiness.RouteOfApplication(
                        "JSESSIONID", Arrays.asList("one", null, "three"));
        StickyCookie cookie = new StickyCookie(routes, upstreams("a:1", "b:1", "c:1"));
        assertThat(cookie.isOwn()).isFalse();
        assertThat(cookie.find(cookies(text))).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a;b", "a=b", "\u00fc"})
    void nameOfTheCookieIsAToken(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Stickiness.OwnCookie(name, null))
                .withMessageContaining("such as route");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Stickiness.RouteOfApplication(name, List.of("a")));
    }

    @Test
    void secretIsLongAndNotShown() {
        assertThat(new Stickiness.OwnCookie("srv", SECRET).toString()).doesNotContain(SECRET);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Stickiness.OwnCookie("srv", SECRET.substring(1)));
    }

    @Test
    void routesAreDifferentNames() {
        for (List<String> wrong : List.of(List.of("a", "a"), List.of("a.b"), List.of(""))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new Stickiness.RouteOfApplication("id", wrong));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new Stickiness.RouteOfApplication("id", Arrays.asList((String) null)));
    }
}
