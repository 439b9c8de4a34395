package dev.serval.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which requests are those of one page.
final class PathGroupTest {
    @ParameterizedTest
    @CsvSource({
        "/search, /search?q=x",
        "/search?, /search?a=1/2",
        "/orders/17, /orders/4",
        "/orders/17/lines, /orders/b4c2-11/lines",
        "/orders/17, /orders/9?all",
        "/a1, /2",
    })
    void samePage(String one, String other) {
        assertThat(group(one)).isEqualTo(group(other));
    }

    @ParameterizedTest
    @CsvSource({
        "/search, /cart",
        "/search, /search/",
        "/orders/17, /orders/new",
        "/orders/17, /orders/17/lines",
        "/orders/17/lines, /orders/17/total",
        "/1/a, /a/1",
        "/, //",
    })
    void anotherPage(String one, String other) {
        assertThat(group(one)).isNotEqualTo(group(other));
    }

    @Test
    void methodAndMountAreOfThePage() {
        long own = group("/a");
        assertThat(PathGroup.of(1, "POST".hashCode(), bytes("/a"), 0, 2)).isNotEqualTo(own);
        assertThat(PathGroup.of(2, "GET".hashCode(), bytes("/a"), 0, 2)).isNotEqualTo(own);
        assertThat(PathGroup.of(1, "GET".hashCode(), bytes("GET /a HTTP"), 4, 6)).isEqualTo(own);
    }

    private static long group(String target) {
        byte[] bytes = bytes(target);
        return PathGroup.of(1, "GET".hashCode(), bytes, 0, bytes.length);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
