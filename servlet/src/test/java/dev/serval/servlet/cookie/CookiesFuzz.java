package dev.serval.servlet.cookie;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.codec.ByteRules;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import jakarta.servlet.http.Cookie;
import java.nio.charset.StandardCharsets;

/// Any Cookie field causes no exception and never more cookies than the limit. What Set-Cookie
/// accepts has no line end, and is read again as the same cookie.
final class CookiesFuzz {
    @FuzzTest(maxDuration = "20s")
    void readsOrSkips(byte[] bytes) {
        StringBuilder field = new StringBuilder();
        for (byte b : bytes) {
            if (ByteRules.field(b)) {
                field.append((char) (b & 0xff));
            }
        }
        RequestCookies read = RequestCookies.parse(Fields.of(FieldName.COOKIE, field.toString()));
        assertThat(read.cookies()).hasSizeLessThanOrEqualTo(RequestCookies.COOKIES_MAX);
        for (Cookie cookie : read.cookies()) {
            assertThat(cookie.getName()).isNotEmpty().doesNotContain(";", "=", " ");
            assertThat(cookie.getValue()).doesNotContain(";", " ", ",");
        }
    }

    @FuzzTest(maxDuration = "20s")
    void writesOnlyWhatIsReadAgain(byte[] bytes) {
        String value = new String(bytes, StandardCharsets.UTF_8);
        String text;
        try {
            text = SetCookie.text(new Cookie("name", value), 0);
        } catch (IllegalArgumentException refused) {
            assertThat(refused).hasMessageContaining("U+");
            return;
        }
        Cookie[] read = RequestCookies.parse(Fields.of(FieldName.COOKIE, text)).cookies();
        assertThat(read).hasSize(1);
        assertThat(read[0].getValue()).isEqualTo(value);
    }
}
