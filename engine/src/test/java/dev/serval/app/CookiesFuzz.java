package dev.serval.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/// Whatever arrives as a Cookie field: no exception, never more cookies than allowed, and names and
/// values without what separates them.
final class CookiesFuzz {
    private static final int MOST = 4;

    @FuzzTest(maxDuration = "20s")
    void readsOrRefuses(byte[] bytes) {
        StringBuilder value = new StringBuilder();
        for (char c : new String(bytes, StandardCharsets.ISO_8859_1).toCharArray()) {
            if (c == '\t' || (c >= ' ' && c != 0x7f)) { // what a field can hold
                value.append(c);
            }
        }
        Fields fields = Fields.of(FieldName.COOKIE, value.toString());
        Map<String, String> cookies = new LinkedHashMap<>();
        Cookies.parse(fields, MOST, cookies);
        assertThat(cookies).hasSizeLessThanOrEqualTo(MOST);
        cookies.forEach((name, text) -> {
            assertThat(name).isNotEmpty().doesNotContain(";", "=").isEqualTo(name.strip());
            assertThat(text).doesNotContain(";");
        });
    }
}
