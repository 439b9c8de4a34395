package dev.serval.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.gateway.peer.Upstream;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.testkit.Scrambled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Any Cookie field: the upstream that is found is one whose value stands in the field, with the name
/// of the cookie before it.
final class StickyCookieFuzz {
    private static final StickyCookie COOKIE =
            new StickyCookie(
                    new Stickiness.OwnCookie("srv", "0123456789abcdef"),
                    List.of(upstream("a:1"), upstream("b:1")));

    private static Upstream upstream(String name) {
        return new Upstream(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), name);
    }

    private static String pair(int upstream) {
        String field = COOKIE.setCookie(upstream, "/", false);
        return field.substring(0, field.indexOf(';'));
    }

    @FuzzTest(maxDuration = "20s")
    void cookies(byte[] bytes) {
        String value =
                new String(bytes, StandardCharsets.ISO_8859_1)
                        .replaceAll("[\\x00-\\x08\\x0a-\\x1f\\x7f]", "")
                        .strip();
        Fields fields = new Fields();
        fields.add(FieldName.COOKIE, value);
        int found = COOKIE.find(fields);
        assertThat(found).isBetween(-1, 1);
        if (found >= 0) {
            assertThat(value).contains(pair(found));
        }
        // Another cookie in front changes nothing.
        Fields later = new Fields();
        later.add(FieldName.COOKIE, "other=1; " + value);
        assertThat(COOKIE.find(later)).isEqualTo(found);
    }

    @Test
    void scrambledCookiesNameAnUpstreamOrNone() {
        Scrambled.each(
                20_000, this::cookies, pair(0), pair(1), "; ", "a=b; ", "srv=", "xsrv=1;", "\"");
    }
}
