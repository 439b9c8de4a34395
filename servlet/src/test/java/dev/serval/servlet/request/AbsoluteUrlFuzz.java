package dev.serval.servlet.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.testkit.Scrambled;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Any location of a redirect: there is no exception, and the URL is absolute. Relative paths are
/// resolved as the algorithm of RFC 3986 §5.2.4 does it.
final class AbsoluteUrlFuzz {
    private static final String ORIGIN = "https://example.com:8443";

    @FuzzTest(maxDuration = "20s")
    void anyLocation(byte[] bytes) {
        String location = new String(bytes, StandardCharsets.ISO_8859_1);
        String url = AbsoluteUrl.of(location, ORIGIN, "/a/b/c");
        if (location.startsWith("//")) {
            assertThat(url).isEqualTo("https:" + location);
        } else if (!location.matches("(?s)[^/?#]+:.*")) {
            assertThat(url).startsWith(ORIGIN + "/");
        }
    }

    @Test
    void scrambledLocationsAreMadeAbsolute() {
        Scrambled.each(
                20_000,
                this::anyLocation,
                "../x?y#z",
                "/x/./y",
                "//host/x",
                "http://other/",
                "?q=/../a",
                "#f:g",
                "a:b",
                ".",
                "");
    }

    @Test
    void dotSegmentsAreResolvedAsTheRfcSays() {
        SplittableRandom random = new SplittableRandom(11);
        String[] segments = {"a", "b.c", ".", "..", "", "...", ".x", "%2e%2e"};
        for (int i = 0; i < 20_000; i++) {
            StringBuilder location = new StringBuilder(random.nextBoolean() ? "x" : "..");
            for (int count = random.nextInt(6); count > 0; count--) {
                location.append('/').append(segments[random.nextInt(segments.length)]);
            }
            String query = random.nextBoolean() ? "" : "?q=../a";
            String merged = "/one/two/" + location;
            assertThat(AbsoluteUrl.of(location + query, ORIGIN, "/one/two/three"))
                    .isEqualTo(ORIGIN + removeDotSegments(merged) + query);
        }
    }

    /// The algorithm of RFC 3986 §5.2.4, step by step, for a path that begins with a slash.
    private static String removeDotSegments(String path) {
        String in = path;
        StringBuilder out = new StringBuilder();
        while (!in.isEmpty()) {
            if (in.startsWith("/./")) {
                in = in.substring(2);
            } else if (in.equals("/.")) {
                in = "/";
            } else if (in.startsWith("/../") || in.equals("/..")) {
                in = in.equals("/..") ? "/" : in.substring(3);
                out.setLength(Math.max(0, out.lastIndexOf("/")));
            } else {
                int end = in.indexOf('/', 1);
                out.append(in, 0, end < 0 ? in.length() : end);
                in = end < 0 ? "" : in.substring(end);
            }
        }
        return out.toString();
    }
}
