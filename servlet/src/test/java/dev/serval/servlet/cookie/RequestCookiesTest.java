package dev.serval.servlet.cookie;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import jakarta.servlet.http.Cookie;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Table of Cookie fields.
final class RequestCookiesTest {
    private static final int TIMES = 10_000;
    private static final long BYTES_OF_THREE = 144;

    @ParameterizedTest(name = "RFC 6265 §4.2.1: {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    a=1                        | [a:1]
                    a=1; b=2                   | [a:1][b:2]
                    a=1;b=2;                   | [a:1][b:2]
                    a=1; a=2                   | [a:1][a:2]
                    a=                         | [a:]
                    a="1"                      | [a:"1"]
                    a=""                       | [a:""]
                    $Version=1; a=2; $Path=/x  | [$Version:1][a:2][$Path:/x]
                    Path=/; Domain=x           | [Path:/][Domain:x]
                    a=b=c                      | [a:b=c]
                    a=x/y:z?{}()<>@[]          | [a:x/y:z?{}()<>@[]]
                    a = 1                      | [a:1]
                    ;; a=1                     | [a:1]
                    a; b=2                     | [b:2]
                    =1; b=2                    | [b:2]
                    a b=1; c=2                 | [c:2]
                    a/b=1; c=2                 | [c:2]
                    a=1 2; c=2                 | [c:2]
                    a=1,2; c=2                 | [c:2]
                    a="1; c=2                  | [c:2]
                    a=1"; c=2                  | [c:2]
                    a="; c=2                   | [c:2]
                    a="1"2"; c=2               | [c:2]
                    a=1\\2; c=2                | [c:2]
                    a="1;2"; c=2               | [c:2]
                    """)
    void readsPairsAndSkipsInvalidOnes(String field, String expected) {
        RequestCookies read = RequestCookies.parse(Fields.of(FieldName.COOKIE, field));
        assertThat(text(read)).isEqualTo(expected);
    }

    @Test
    void readsAllFieldsInOrder() {
        Fields fields =
                Fields.of(FieldName.COOKIE, "a=1").add("X", "y").add(FieldName.COOKIE, "b=2");
        assertThat(text(RequestCookies.parse(fields))).isEqualTo("[a:1][b:2]");
        assertThat(RequestCookies.parse(Fields.EMPTY).cookies()).isEmpty();
    }

    @Test
    void readsUtf8AndSkipsOtherBytes() {
        String utf8 = latin1("ä€");
        RequestCookies read =
                RequestCookies.parse(Fields.of(FieldName.COOKIE, "a=" + utf8 + "; b=\u00e4"));
        assertThat(text(read)).isEqualTo("[a:ä€]");
        assertThat(text(RequestCookies.parse(Fields.of(FieldName.COOKIE, utf8 + "=1")))).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            textBlock =
                    """
                    a=1; id=2; b=3        | [2]
                    id=1; a=3; id=2; id=1 | [1, 2, 1]
                    id=                   | []
                    id = 7                | [7]
                    ID=1; i=2; idd=3      | none
                    id; id=2              | [2]
                    id=1 2; id=3          | [3]
                    a="; id=4             | [4]
                    """)
    void findsTheValidCookiesOfAName(String field, @Nullable String values) {
        Fields fields = Fields.of(FieldName.COOKIE, "x=y").add(FieldName.COOKIE, field);
        List<String> found = RequestCookies.values(fields, "id");
        assertThat(found.isEmpty() ? null : found.toString()).isEqualTo(values);
    }

    /// The loop looks for the session of each request for a file.
    @Test
    void createsNothingForOtherCookies() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Fields fields = Fields.of(FieldName.COOKIE, "visitor=159834215516; theme=dark; seen=1");
        long start = threads.getCurrentThreadAllocatedBytes();
        int found = 0;
        for (int i = 0; i < TIMES; i++) {
            found += RequestCookies.values(fields, "JSESSIONID").size();
        }
        long middle = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < TIMES; i++) {
            found += RequestCookies.parse(fields).cookies().length;
        }
        long end = threads.getCurrentThreadAllocatedBytes();
        assertThat(found).isEqualTo(3 * TIMES);
        assertThat((end - middle) - (middle - start))
                .as("bytes saved")
                .isGreaterThan(BYTES_OF_THREE * TIMES);
    }

    @Test
    void findsNoCookieBeyondTheLimit() {
        String most = "a=1;".repeat(RequestCookies.COOKIES_MAX - 1);
        assertThat(RequestCookies.values(Fields.of(FieldName.COOKIE, most + "id=2;id=3"), "id"))
                .containsExactly("2");
        assertThat(RequestCookies.values(Fields.of(FieldName.COOKIE, most + "b=1;id=2"), "id"))
                .isEmpty();
        assertThat(RequestCookies.values(Fields.EMPTY, "id")).isEmpty();
    }

    @Test
    void skipsCookiesBeyondTheLimit() {
        String most = "a=1;".repeat(RequestCookies.COOKIES_MAX);
        RequestCookies atLimit = RequestCookies.parse(Fields.of(FieldName.COOKIE, most));
        assertThat(atLimit.cookies()).hasSize(RequestCookies.COOKIES_MAX);
        RequestCookies beyond = RequestCookies.parse(Fields.of(FieldName.COOKIE, most + "b=2;c=3"));
        assertThat(beyond.cookies()).hasSize(RequestCookies.COOKIES_MAX);
    }

    @Test
    void givesEachCallerItsOwnArray() {
        RequestCookies read = RequestCookies.parse(Fields.of(FieldName.COOKIE, "a=1"));
        read.cookies()[0] = new Cookie("b", "2");
        assertThat(text(read)).isEqualTo("[a:1]");
    }

    private static String latin1(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    private static String text(RequestCookies read) {
        StringBuilder text = new StringBuilder();
        for (Cookie cookie : read.cookies()) {
            text.append('[').append(cookie.getName()).append(':');
            text.append(cookie.getValue()).append(']');
        }
        return text.toString();
    }
}
